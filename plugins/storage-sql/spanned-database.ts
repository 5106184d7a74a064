// A database that tells of each statement, for traces: those of a transaction that go together are
// one span. Names are those of OpenTelemetry's semantic conventions for databases; values are never
// told.
import type { Spans } from '../../runtime/index.ts'
import type { Database, Pipelined, Step, Work } from './database.ts'

const SYSTEMS = { sqlite: 'sqlite', postgres: 'postgresql' } as const
type Dialect = keyof typeof SYSTEMS

/** The same database; what belongs to no trace that is kept costs one look. */
export function spannedDatabase(database: Database, dialect: Dialect, spans: Spans): Database {
  const system = SYSTEMS[dialect]
  return {
    once: (statement, ...values) => {
      if (spans.parent === undefined) return database.once(statement, ...values)
      const attributes = {
        'db.system.name': system,
        'db.operation.name': statement.name,
        'db.query.text': statement[dialect],
      }
      const piece = { name: statement.name, kind: 'client', attributes } as const
      return spans.run(piece, () => database.once(statement, ...values))
    },
    transact: (work) =>
      spans.parent === undefined
        ? database.transact(work)
        : spans.run({ name: 'transaction' }, () =>
            database.transact(() => told(work(), system, spans)),
          ),
    ...(database.guard === undefined ? {} : { guard: (check) => database.guard?.(check) }),
    ping: () => database.ping(),
    close: () => database.close(),
  }
}

/** The work, each of whose flights is recorded when it is answered. */
function* told<T>(work: Work<T>, system: string, spans: Spans): Work<T> {
  const parent = spans.parent
  let step = work.next([])
  while (step.done !== true) {
    const flight = step.value
    const startMs = spans.nowMs()
    const answers = yield flight
    if (parent !== undefined) spans.recordChild(parent, pieceOf(flight, system), startMs)
    step = work.next(answers)
  }
  return step.value
}

function pieceOf({ steps }: Pipelined, system: string) {
  const names = steps.map(({ statement }: Step) => statement.name)
  return {
    name: [...new Set(names)].join(' '),
    kind: 'client',
    attributes: { 'db.system.name': system, 'db.operation.batch.size': steps.length },
  } as const
}
