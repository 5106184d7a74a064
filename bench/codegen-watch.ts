// From the save of a file to new output: `generate --watch` over our documents, small edits of the
// largest kinds of files.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { PROJECT } from './codegen-run.ts'
import { aimLine, cpuMilliseconds, median, spread } from './measure.ts'

const EDITS = 20
const CONFIG = `export const config = {
  interfaces: ['ledger', 'validator', 'scan', 'registry'].map((name) => ({ spec: \`spec/\${name}.yaml\` })),
  out: 'generated', errors: 'spec/errors.yaml', wireNames: 'spec/wire-names.yaml', contracts: 'spec/contracts.yaml',
}
`

/**
 * What people do to a document: a text for people, a limit, a name on the wire, an operation's
 * name.
 */
const KINDS: readonly ((text: string, round: number) => string)[] = [
  (text, round) => text.replace(/summary: (.*)/u, `summary: $1 ${round}`),
  (text, round) => text.replace(/maxLength: \d+/u, `maxLength: ${200 + round}`),
  (text, round) => text.replace(/(?<=^ {6}properties:\n {8})[a-zA-Z]+/mu, `renamed${round}`),
  (text, round) => text.replace(/operationId: (\w+)/u, `operationId: $1${round}`),
]

/** Measures and prints. */
export async function measureWatch(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const root = join(folder, 'watch')
  mkdirSync(root)
  cpSync(join(PROJECT, 'spec'), join(root, 'spec'), { recursive: true })
  writeFileSync(join(root, 'codegen.config.ts'), CONFIG)
  writeFileSync(join(root, 'package.json'), '{"type":"module"}')
  const command = [join(PROJECT, 'runtime/cli/start.mjs'), 'generate', '--watch']
  const child = spawn(process.execPath, command, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const lines = createInterface({ input: child.stdout })
  try {
    await once(lines, 'line')
    const before = cpuMilliseconds(child.pid ?? 0)
    const times = await editAll(join(root, 'spec/ledger.yaml'), () => once(lines, 'line'))
    const cpu = (cpuMilliseconds(child.pid ?? 0) - before) / EDITS
    console.log(
      `\nwatch, ${EDITS} edits of spec/ledger.yaml, from the save to new files: ${spread(times)} ms, CPU ${cpu.toFixed(0)} ms an edit`,
    )
    console.log(aimLine('median', median(times), 'at most', 300, 'ms'))
  } finally {
    child.kill('SIGINT')
    await once(child, 'exit')
  }
}

async function editAll(file: string, done: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = []
  let content = readFileSync(file, 'utf8')
  for (let round = 1; round <= EDITS; round += 1) {
    const edited = KINDS[round % KINDS.length]?.(content, round) ?? content
    if (edited === content) throw new Error(`edit ${round} changes nothing of ${file}`)
    content = edited
    const start = performance.now()
    const finished = done()
    writeFileSync(file, content)
    await finished
    times.push(performance.now() - start)
  }
  return times
}
