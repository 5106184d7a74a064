// `npm run dev`: writes generated/ anew when the document changes, and starts the server anew when one of its files does.
import { spawn } from 'node:child_process'

const commands = ['ledgerwright generate --watch', 'node --watch src/server.ts']
const running = commands.map((command) => spawn(command, { shell: true, stdio: 'inherit' }))
const end = (): void => running.forEach((child) => child.kill())
for (const child of running) child.once('exit', end)
process.once('SIGINT', end).once('SIGTERM', end)
