// The entry for any Node: a Node that cannot run TypeScript says so in one line instead of a stack.
// The code cache is on before the first TypeScript file, so that a warm start never loads the type
// stripper.
import module from 'node:module'

module.enableCompileCache?.()
try {
  await import('./main.ts')
} catch (error) {
  if (error?.code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw error
  process.stderr.write(
    `ledgerwright needs Node 22.18 or newer; this is ${process.versions.node}. ` +
      'In a checkout, "npm start" uses the Node that npm ci installed.\n',
  )
  process.exitCode = 1
}
