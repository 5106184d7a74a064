// What stands at /wallet in a checkout whose page nobody has built.
import type { StaticFile } from '../../runtime/index.ts'

const TEXT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Wallet</title></head>
<body><h1>The wallet has not been built</h1><p>Run <code>npm run build:wallet</code> and start the server again.</p></body></html>
`

/** The page that says how to build the page. */
export const NOT_BUILT: StaticFile = {
  type: 'text/html; charset=utf-8',
  bytes: Buffer.from(TEXT),
  encoded: [],
}
