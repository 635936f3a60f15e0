/** Recordings and other files, by key. */
export type Blobs = {
  /** Keeps a blob; one of the same key is replaced. @throws BlobFailed */
  put(key: string, blob: Blob): Promise<void>;
  /** Also when there is none. @throws BlobFailed */
  remove(key: string): Promise<void>;
  /** An address that gives the blob to whoever has it, for so many seconds; it need not be there. @throws BlobFailed */
  sign(key: string, seconds: number): Promise<string>;
  /** Where signed addresses lead, when that is not this service. */
  origin: string | null;
  /** What a signed address of this service stands for; absent where they lead elsewhere. */
  open?(signed: SignedKey): Promise<Blob | null>;
};

type Blob = { bytes: Uint8Array; contentType: string };

/** The parts of a signed address of this service; `expires` in seconds since 1970. */
type SignedKey = { key: string; expires: number; signature: string };

/** The blob was not kept, removed or signed; the sentence says why, and holds no key of the store. */
export class BlobFailed extends Error {
  override name = 'BlobFailed';
}

const KEY = /^[\w.-]+(?:\/[\w.-]+)*$/;
const LONGEST = 500;

/**
 * Letters, digits, `_`, `-` and `.` in parts between slashes, of which none is `.` or `..`.
 * @throws BlobFailed
 */
export function checkKey(key: string): string {
  if (key.length > LONGEST || !KEY.test(key) || key.split('/').some((part) => /^\.+$/.test(part))) throw new BlobFailed('This is no key of a blob.');
  return key;
}
