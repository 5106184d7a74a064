// `npm test` runs its test files in few processes: a process of its own costs each of them a third
// of a second to load what the one before had loaded, and starts with cold code. `node
// test/batches.ts` writes files that import some test files each, for `node --test` to run.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const FOLDER = join(ROOT, '.cache', 'test-batches')
/** Test files of a folder in one process; more would let the last batch run alone. */
const MOST = 12

/** Folders whose files load little themselves: they start services, commands and pages. */
const OF_PROCESSES = ['authority', 'e2e', 'wallet-ui']
/** Files that take as long as a batch. */
const LONG = ['codegen/roundtrip', 'conformance/faulty.runner', 'plugins/third-party']
/** Files that look at the memory of their process. */
const MEASURING = ['interfaces/dar-bounds']
/** Hooks of a file would be those of a batch, and what a file awaits would part it. */
const OWN_HOOKS = /^(?:before|beforeEach|afterEach)\(|^(?:(?:export )?const .*= )?await /mu

function isAlone(file: string): boolean {
  const name = file.replace('.test.ts', '')
  return (
    OF_PROCESSES.includes(dirname(file)) ||
    [...LONG, ...MEASURING].includes(name) ||
    OWN_HOOKS.test(readFileSync(join(ROOT, 'test', file), 'utf8'))
  )
}

/** Batches of files that are together in a folder, the others by themselves. */
function batches(files: readonly string[]): readonly (readonly string[])[] {
  const alone = files.filter(isAlone)
  const together = Map.groupBy(
    files.filter((file) => !alone.includes(file)),
    dirname,
  )
  const parts = [...together.values()].flatMap((group) => {
    const count = Math.ceil(group.length / MOST)
    return Array.from({ length: count }, (_, part) => group.filter((__, at) => at % count === part))
  })
  return [...alone.map((file) => [file]), ...parts]
}

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const files = globSync('**/*.test.ts', { cwd: join(ROOT, 'test') }).sort()
for (const [index, batch] of batches(files).entries()) {
  const folder = dirname(batch[0] ?? '')
  const name = `${folder}-${String(index).padStart(3, '0')}.test.ts`
  const imports = batch.map((file) => `import '../../test/${file}'\n`)
  writeFileSync(join(FOLDER, name), imports.join(''))
}
