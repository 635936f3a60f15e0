/** Whether the host name of an address means this machine. */
export const isLocal = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
