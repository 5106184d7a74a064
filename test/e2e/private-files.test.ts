// What a service writes is for its own user, whatever the umask is and however a folder was left by
// an earlier version. docs/security.md
import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventuallyHolds } from '../support/eventually.ts'
import { MAIN, run, serveStub, tempFolder } from './cli-kit.ts'
import type { Serving } from './cli-kit.ts'

const SKIP = process.geteuid === undefined ? 'this system has no such modes' : false
// Everything would be open to everybody. Child processes inherit it.
process.umask(0)

const folders: { remove(): void }[] = []
after(() => folders.forEach((folder) => folder.remove()))

function newFolder(): string {
  const folder = tempFolder()
  folders.push(folder)
  return folder.path
}

/** Modes of all files, by path. */
function modes(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
  const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o7777).toString(8)
  return Object.fromEntries(
    ['.', ...entries].map((name) => [name.replace(/-server-\d.*/, '-server'), modeOf(name)]),
  )
}

/** Starts on a data folder; the configuration stands elsewhere. */
async function start(data: string, config: object = {}): Promise<Serving> {
  const folder = tempFolder({ 'ledgerwright.config.json': JSON.stringify(config) })
  folders.push(folder)
  return serveStub(['--data', data], { cwd: folder.path })
}

test(
  "a new data folder, all files in it and a backup are the owner's alone",
  { skip: SKIP },
  async () => {
    const data = join(newFolder(), 'deep', 'data')
    const server = await start(data)
    const config = ['--data', data]
    const backup = join(data, 'ledger.backup')
    assert.equal(
      (await run(MAIN, ['backup', '--to', backup, ...config], { cwd: newFolder() })).code,
      0,
    )
    const found = modes(join(data, '..'))
    assert.deepEqual(found, {
      '.': '700',
      data: '700',
      'data/auth-open.key': '600',
      'data/ledger.backup': '600',
      'data/ledgerwright.sqlite': '600',
      'data/ledgerwright.sqlite-server': '600',
      'data/ledgerwright.sqlite-shm': '600',
      'data/ledgerwright.sqlite-wal': '600',
    })
    await server.stop()
  },
)

test(
  'a folder that an earlier version left open is closed at the start, and the log says so',
  { skip: SKIP },
  async () => {
    const data = join(newFolder(), 'data')
    await (await start(data)).stop('SIGKILL')
    const names = readdirSync(data)
    assert.ok(names.includes('ledgerwright.sqlite-wal'))
    for (const name of names) chmodSync(join(data, name), 0o644)
    chmodSync(data, 0o755)
    const server = await start(data)
    const said = (path: string, mode: string): string =>
      `"path":"${path}","mode":"${mode}","msg":"other users had access to this path; the access was removed"`
    // The rest means nothing without the process that wrote it.
    for (const name of names.filter((each) => /\.(key|sqlite|sqlite-wal)$/.test(each))) {
      await eventuallyHolds(name, () =>
        server.text().stderr.includes(said(join(data, name), '644')),
      )
    }
    assert.ok(server.text().stderr.includes(said(data, '755')))
    const { '.': folder, ...files } = modes(data)
    assert.deepEqual([folder, [...new Set(Object.values(files))]], ['700', ['600']])
    await server.stop()
  },
)

test(
  'a folder for everybody and files of somebody else are left as they are, and the log says so',
  { skip: SKIP },
  async () => {
    const data = join(newFolder(), 'data')
    mkdirSync(data)
    chmodSync(data, 0o1777)
    const server = await start(data, { storage: { use: 'memory' } })
    await eventuallyHolds('a warning', () =>
      server
        .text()
        .stderr.includes(
          '"mode":"1777","reason":"it is a folder for everybody","msg":"other users have access',
        ),
    )
    assert.deepEqual(modes(data), { '.': '1777', 'auth-open.key': '600' })
    await server.stop()
  },
)

test(
  'files beside the data folder are closed, the folder that they lie in is not touched',
  { skip: SKIP },
  async () => {
    const [data, other] = [join(newFolder(), 'data'), newFolder()]
    chmodSync(other, 0o755)
    writeFileSync(join(other, 'mine.txt'), '')
    chmodSync(join(other, 'mine.txt'), 0o644)
    const server = await start(data, {
      storage: { use: 'sqlite', file: join(other, 'ledger.sqlite') },
    })
    const { '.': folder, 'mine.txt': mine, 'ledger.sqlite': file } = modes(other)
    assert.deepEqual([folder, mine, file], ['755', '644', '600'])
    await server.stop()
  },
)
