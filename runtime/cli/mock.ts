// `mock`: a server that answers as documents say, before anybody has written one. docs/mock.md
import fc from 'fast-check'
import { formatFinding } from '../../codegen/index.ts'
import { systemClock } from '../host/clock.ts'
import { hostCheck } from '../host/own-hosts.ts'
import { member } from '../host/member.ts'
import { CommandError } from '../host/problem.ts'
import { silentLog } from '../host/silent-log.ts'
import { createHttpApp, documentedPresenter, mountInterface, openGuard } from '../http/index.ts'
import type { InterfaceMount, WireInterface } from '../http/index.ts'
import { exampleHandlers } from '../testing/examples.ts'
import type { ReplySource } from '../testing/examples.ts'
import { browserAccess } from './mock-cors.ts'
import { statefulHandlers } from './mock-state.ts'
import { EXIT } from './outcome.ts'
import { loadPrinted, printedDocuments } from './printed-documents.ts'
import type { Document } from './printed-documents.ts'

/** The options of the command, as commander hands them over. */
export interface MockFlags {
  readonly port: string
  readonly host: string
  readonly seed: string
  readonly random?: true
  readonly stateless?: true
  /** Pages of other origins may read the answers. */
  readonly cors: boolean
  readonly overlay?: readonly string[]
  readonly cache?: string
}

const MAX_PORT = 65_535

/** Serves documents (FILE or FILE=/prefix) until it is interrupted. */
export async function mock(files: readonly string[], flags: MockFlags): Promise<void> {
  const port = wholeNumber('--port', flags.port)
  if (port > MAX_PORT) throw new CommandError(`--port is at most ${MAX_PORT}`, EXIT.usage)
  const seed = wholeNumber('--seed', flags.seed)
  const load = flags.overlay === undefined ? {} : { overlays: flags.overlay }
  const { documents, folder } = await printedDocuments({ specs: files, cache: flags.cache, load })
  const interfaces = await Promise.all(
    documents.map((document) => mountOf(document, folder, { ...flags, seed })),
  )
  for (const { loaded } of documents) tellLosses(loaded.findings)
  const http = createHttpApp<never>({
    interfaces,
    log: silentLog,
    clock: systemClock,
    ...(flags.cors
      ? { middleware: [browserAccess] }
      : { hostCheck: hostCheck({ profile: 'dev', listen: { host: flags.host, port } }) }),
  })
  const heard = await http.listen(port, flags.host)
  const url = `http://${flags.host.includes(':') ? `[${flags.host}]` : flags.host}:${heard.port}`
  for (const { wire } of interfaces)
    process.stdout.write(
      `${url}${wire.mount}  ${wire.title}: ${wire.operations.length} operations\n`,
    )
  await new Promise((resolve) => process.once('SIGTERM', resolve))
  await http.drain(0)
}

function tellLosses(findings: Document['loaded']['findings']): void {
  for (const finding of findings)
    if (finding.loss !== undefined) process.stderr.write(`${formatFinding(finding)}\n`)
}

interface MockOptions extends Pick<MockFlags, 'random' | 'stateless'> {
  readonly seed: number
}

async function mountOf(
  { loaded, mount }: Document,
  folder: string,
  { seed, random, stateless }: MockOptions,
): Promise<InterfaceMount<never>> {
  const { name } = loaded.ir
  const printed = member(await loadPrinted(folder, name, 'routes'), 'wire')
  const make = member(await loadPrinted(folder, name, 'arbitraries'), 'arbitraries')
  const made: unknown = typeof make === 'function' ? make(fc) : undefined
  if (!isWire(printed) || !isReplies(made)) throw new Error(`${name} is not printed as expected`)
  const wire = { ...printed, mount }
  return mountInterface({
    wire,
    handlers: exampleHandlers<never>({
      wire,
      arbitraries: made,
      seed,
      ...(random === undefined ? {} : { random }),
      ...(stateless === undefined
        ? { handlers: statefulHandlers(wire, made.operations, seed) }
        : {}),
    }),
    guard: openGuard<never>(),
    presenter: documentedPresenter(loaded.document),
  })
}

function isWire(value: unknown): value is WireInterface {
  return Array.isArray(member(value, 'operations'))
}

function isReplies(
  value: unknown,
): value is { readonly operations: Readonly<Record<string, ReplySource>> } {
  return typeof member(value, 'operations') === 'object'
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,10}$/u.test(text)) return Number(text)
  throw new CommandError(`${name} must be a whole number, not "${text}"`, EXIT.usage)
}
