// The page of the API reference: plain HTML and a starter script around Swagger UI's own files.

/** A document that the page offers. */
interface PageDocument {
  readonly name: string
  readonly url: string
}

/** The page itself; its scripts are files of this server, as the page's policy wants. */
export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/swagger-ui-standalone-preset.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

/**
 * The script that opens the first document and lets the reader choose among all. Asks nothing of
 * other hosts.
 */
export function startScript(documents: readonly PageDocument[]): string {
  return `window.ui = SwaggerUIBundle({
  urls: ${JSON.stringify(documents)},
  dom_id: '#reference',
  layout: 'StandaloneLayout',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  docExpansion: 'list',
})
`
}
