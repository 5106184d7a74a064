// `npm run dev`: writes generated/ anew when the document changes, and starts the server anew when
// one of its files does.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const manifest = fileURLToPath(import.meta.resolve('ledgerwright/package.json'))
const ledgerwright = join(
  dirname(manifest),
  JSON.parse(readFileSync(manifest, 'utf8')).bin.ledgerwright,
)
const commands = [
  [ledgerwright, 'generate', '--watch'],
  ['--watch', 'src/server.ts'],
]
const running = commands.map((args) => spawn(process.execPath, args, { stdio: 'inherit' }))
const end = (): void => running.forEach((child) => child.kill())
for (const child of running) child.once('exit', end)
process.once('SIGINT', end).once('SIGTERM', end)
