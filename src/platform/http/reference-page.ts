/** The page of the reference. @param up how its links leave the folder that the browser takes it to be in: empty, or `../` */
export const referencePage = (up: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Groundwork: reference</title>
<link rel="icon" type="image/png" href="${up}docs/static/favicon-32x32.png">
<link rel="stylesheet" href="${up}docs/static/swagger-ui.css">
</head>
<body style="margin: 0">
<main id="reference"></main>
<noscript><p>The reference needs JavaScript; <a href="${up}openapi.json">openapi.json</a> holds the same.</p></noscript>
<script src="${up}docs/static/swagger-ui-bundle.js"></script>
<script src="${up}docs/static/reference.js" data-document="${up}openapi.json"></script>
</body>
</html>
`;

/** Runs after the bundle; a script of its own, since the page allows none inside. */
export const REFERENCE_SCRIPT = `'use strict';
SwaggerUIBundle({
  dom_id: '#reference',
  url: new URL(document.currentScript.dataset.document, location.href).href,
  deepLinking: true,
  docExpansion: 'list',
  validatorUrl: null,
});
`;
