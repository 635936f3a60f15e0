import { escapeHtml } from '#lib/text.ts';

export type Installation = {
  name: string;
  version: string;
  description: string;
  reference: string;
  openapi: string;
  status: string;
  command_line: string;
};

/** The page at the bare address. Its links are relative: the reader may have come by another name than the configured one. */
export function frontPage({ name, version, description, command_line: commandLine }: Installation): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(name)}</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 2rem auto; max-width: 40rem; padding: 0 1rem; }
dt { font-weight: 600; margin-top: 1rem; }
dd { margin: 0; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.75rem; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 0.375rem; }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(name)}</h1>
<p>${escapeHtml(description)} This is its service, version ${escapeHtml(version)}.</p>
<dl>
<dt><a href="docs">Reference</a></dt><dd>Every route, to read and to try.</dd>
<dt><a href="openapi.json">OpenAPI document</a></dt><dd>The same for programs.</dd>
<dt><a href="status">Status</a></dt><dd>Whether the service and its database answer.</dd>
<dt>Command line</dt><dd>In the folder of an installation:</dd>
</dl>
<pre><code>${escapeHtml(commandLine)}</code></pre>
<p><code>npx groundwork --help</code> lists all commands.</p>
</main>
</body>
</html>
`;
}
