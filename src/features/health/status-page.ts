import { escapeHtml } from '#lib/text.ts';

export type Status = {
  api_status: string;
  database: string;
  route_count: number;
  routes: { method: string; path: string; auth: string; client: string }[];
};

/** The status as a page that needs no script. */
export function statusPage(status: Status): string {
  const rows = status.routes
    .map(
      (route) =>
        `<tr><td><code>${escapeHtml(route.method)}</code></td><td><code>${escapeHtml(route.path)}</code></td><td>${escapeHtml(route.auth)}</td><td>${escapeHtml(route.client)}</td></tr>`,
    )
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Groundwork status</title>
<style>
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
</style>
</head>
<body>
<main>
<h1>Groundwork</h1>
<dl>
<dt>API</dt><dd>${escapeHtml(status.api_status)}</dd>
<dt>Database</dt><dd>${escapeHtml(status.database)}</dd>
<dt>Routes</dt><dd>${status.route_count}</dd>
</dl>
<p>The <a href="/docs">reference</a> describes every route; <a href="/openapi.json">openapi.json</a> is for programs.</p>
<div class="wide" tabindex="0" role="region" aria-label="Routes">
<table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">Auth</th><th scope="col">Clients</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</div>
</main>
</body>
</html>
`;
}
