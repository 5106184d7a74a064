// A commit that is asked for while another one is written: it is decided on what that one is about
// to write, and once more where it was not written, or where somebody else was faster.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { openSqlStore } from '../../plugins/storage-sql/open.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { asAdmin, startPostgres } from '../support/postgres.ts'
import type {
  CommandRecord,
  Commit,
  CommitFacts,
  CommitReads,
  CommitWrites,
  ContractRecord,
  ContractState,
  Store,
} from '../../runtime/index.ts'

const server = await startPostgres()
after(() => server.stop())

/** What is asked of a commit beside its one update. */
interface Also {
  readonly reads?: Partial<CommitReads>
  readonly writes?: (offset: bigint) => Partial<CommitWrites>
}

/** One update; tells `told` what each call of `decide` saw. */
function update(id: string, told: CommitFacts[] = [], also: Also = {}): Commit<bigint> {
  return {
    reads: { contractIds: [], commandKeys: [], facts: [], ...also.reads },
    decide: (facts) => {
      told.push(facts)
      const offset = facts.end.offset + 1n
      const recordTime = facts.end.recordTime + 1n
      const updates = [{ offset, updateId: id, recordTime, body: '{}' }]
      const none = { creates: [], archives: [], assignments: [], commands: [] }
      const others = { totals: [], accruals: [], logs: [], facts: [] }
      return { result: offset, writes: { updates, ...none, ...others, ...also.writes?.(offset) } }
    },
  }
}

const CONTRACT: ContractRecord = {
  contractId: 'c',
  templateId: 't:M:E',
  packageName: 'p',
  payload: '{}',
  signatories: ['alice'],
  observers: ['bob'],
  createdAt: 1n,
  key1: 'k',
  key2: '',
  key3: '',
  rank: 0n,
}

/** A place where a commit of the update `held` stays on its way until it is let go. */
interface Bay {
  readonly url: string
  readonly store: Store
  readonly other: Store
  /** Resolves when that commit has written its update. */
  arrived(): Promise<void>
  /** Resolves when so many wait for the ledger end. */
  queued(number: number): Promise<void>
  letGo(): Promise<void>
  close(): Promise<void>
}

async function bay(): Promise<Bay> {
  const url = await server.createStoreDatabase()
  await asAdmin(
    url,
    `create function hold() returns trigger language plpgsql as $$ begin
      if new.update_id like 'held%' then perform pg_advisory_xact_lock(1); end if;
      if new.update_id = 'held and refused' then raise unique_violation; end if;
      return new;
    end $$;
    create trigger hold after insert on updates for each row execute function hold();`,
  )
  const [store, other] = [
    await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 4 }),
    await openSqlStore({ dialect: 'postgres', connection: url, poolSize: 4 }),
  ]
  const holder = new pg.Client(url)
  await holder.connect()
  await holder.query('select pg_advisory_lock(1)')
  const waiting = (what: string, number: number) =>
    eventuallyHolds(`${number} wait: ${what}`, async () => {
      const { rows } = await holder.query(
        `select count(*) as number from pg_stat_activity
        where datname = current_database() and wait_event = any ($1)`,
        [what.split(' ')],
      )
      return Number(rows[0]?.number) === number
    })
  // Only a commit that follows directly on one of its own store is followed ahead.
  await store.contracts.commit(update('first'))
  return {
    url,
    store,
    other,
    arrived: () => waiting('advisory', 1),
    queued: (number) => waiting('transactionid tuple', number),
    letGo: async () => {
      await holder.query('select pg_advisory_unlock(1)')
    },
    close: async () => {
      await Promise.all([store.close(), other.close(), holder.end()])
    },
  }
}

function offsetsOf(told: readonly CommitFacts[]): readonly bigint[] {
  return told.map(({ end }) => end.offset)
}

async function idsIn({ contracts }: Store): Promise<readonly string[]> {
  return (await contracts.updatesAfter(0n, 99)).map(({ updateId }) => updateId)
}

test('a commit is decided while the one before is written, on what that one writes', async () => {
  const { store, arrived, queued, letGo, close } = await bay()
  const command = { key: 'command', updateId: 'held', offset: 2n, keptUntil: 9n }
  const creates = [
    { contract: CONTRACT, createdOffset: 2n, archivedOffset: 0n, synchronizerId: 's' },
  ]
  const first = store.contracts.commit(
    update('held', [], {
      writes: () => ({
        creates,
        commands: [command],
        facts: [{ kind: 'kind', key: 'key', body: '1' }],
        assignments: [{ contractId: 'c', offset: 2n, synchronizerId: 'elsewhere' }],
      }),
    }),
  )
  await arrived()
  const told: CommitFacts[] = []
  const second = store.contracts.commit(
    update('second', told, {
      reads: {
        seen: 1n,
        contractIds: ['c'],
        commandKeys: ['command'],
        facts: [{ kind: 'kind', key: 'key' }],
      },
      writes: (offset) => ({ archives: [{ contractId: 'c', offset }] }),
    }),
  )
  await queued(1)
  const [facts] = told
  assert.deepEqual(facts?.end, { offset: 2n, recordTime: 2n })
  assert.equal(facts.seen, 'first')
  assert.deepEqual(facts.states.get('c'), {
    createdOffset: 2n,
    archivedOffset: 0n,
    synchronizerId: 'elsewhere',
  })
  assert.deepEqual(facts.commands.get('command'), command)
  assert.equal(facts.facts.get('kind')?.get('key'), '1')
  await letGo()
  assert.deepEqual(await Promise.all([first, second]), [2n, 3n])
  assert.deepEqual(offsetsOf(told), [2n])
  assert.deepEqual(await idsIn(store), ['first', 'held', 'second'])
  const snapshot = (offset: bigint) =>
    store.contracts.snapshot({ offset, templates: [], parties: ['bob'], after: 0n, limit: 9 })
  assert.deepEqual(
    (await snapshot(2n)).map(({ sequence, contract }) => [sequence, contract.contractId]),
    [[1n, 'c']],
  )
  assert.deepEqual(await snapshot(3n), [])
  await close()
})

test('one alone is decided ahead: what comes behind it waits until it has the lock', async () => {
  const { store, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held'))
  await arrived()
  const second = store.contracts.commit(update('second'))
  await queued(1)
  const told: CommitFacts[] = []
  const third = store.contracts.commit(update('third', told))
  // What it would be decided on would have been read by then.
  for (let reads = 0; reads < 3; reads += 1) await store.contracts.ledgerEnd()
  assert.equal(told.length, 0)
  await letGo()
  assert.deepEqual(await Promise.all([first, second, third]), [2n, 3n, 4n])
  assert.deepEqual(await idsIn(store), ['first', 'held', 'second', 'third'])
  await close()
})

test('where another server commits in between, it is decided once more', async () => {
  const { store, other, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held'))
  await arrived()
  const between = other.contracts.commit(update('between'))
  await queued(1)
  const told: CommitFacts[] = []
  const second = store.contracts.commit(update('second', told))
  await queued(2)
  await letGo()
  assert.deepEqual(await Promise.all([first, between, second]), [2n, 3n, 4n])
  assert.deepEqual(offsetsOf(told), [2n, 3n])
  assert.deepEqual(await idsIn(other), ['first', 'held', 'between', 'second'])
  await close()
})

test('what another server notes in between, without an update, is not lost', async () => {
  const { store, other, arrived, queued, letGo, close } = await bay()
  const counter = { kind: 'kind', key: 'counter' }
  const counting = (told: CommitFacts[], id?: string): Commit<bigint> => {
    const { reads, decide } = update(id ?? '', told, { reads: { facts: [counter] } })
    return {
      reads,
      decide: (facts) => {
        const { writes, result } = decide(facts)
        const body = `${facts.facts.get('kind')?.get('counter') ?? ''}+`
        const updates = id === undefined ? [] : writes.updates
        return { result, writes: { ...writes, updates, facts: [{ ...counter, body }] } }
      },
    }
  }
  const first = store.contracts.commit(update('held'))
  await arrived()
  const between = other.contracts.commit(counting([]))
  await queued(1)
  const told: CommitFacts[] = []
  const second = store.contracts.commit(counting(told, 'second'))
  await queued(2)
  await letGo()
  await Promise.all([first, between, second])
  assert.equal((await store.contracts.fact('kind', 'counter'))?.body, '++')
  assert.deepEqual(
    told.map(({ isAhead }) => isAhead),
    [true, undefined],
  )
  await close()
})

test('where the one before fails, it is decided once more without it', async () => {
  const { store, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held and refused'))
  await arrived()
  const told: CommitFacts[] = []
  const second = store.contracts.commit(update('second', told))
  await queued(1)
  const refused = assert.rejects(first, { code: 'STORE_CONFLICT' })
  await letGo()
  await refused
  assert.equal(await second, 2n)
  assert.deepEqual(offsetsOf(told), [2n, 1n])
  assert.deepEqual(await idsIn(store), ['first', 'second'])
  await close()
})

test('where its connection is lost while it waits, it is not there, and says so', async () => {
  const { url, store, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held'))
  await arrived()
  const second = store.contracts.commit(update('second'))
  await queued(1)
  const lost = assert.rejects(second, { code: 'STORE_UNAVAILABLE' })
  await asAdmin(
    url,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event in ('transactionid', 'tuple')`,
  )
  await letGo()
  await first
  await lost
  assert.deepEqual(await idsIn(store), ['first', 'held'])
  assert.equal(await store.contracts.commit(update('third')), 3n)
  await close()
})

test('an end that looks like the one that was guessed, but is of another history, is told apart', async () => {
  const { store, other, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held and refused'))
  await arrived()
  const between = other.contracts.commit(update('between'))
  await queued(1)
  const told: CommitFacts[] = []
  const second = store.contracts.commit(update('second', told))
  await queued(2)
  const refused = assert.rejects(first, { code: 'STORE_CONFLICT' })
  await letGo()
  await refused
  assert.deepEqual(await Promise.all([between, second]), [2n, 3n])
  assert.deepEqual(
    told.map(({ end, isAhead }) => [end.offset, isAhead]),
    [
      [2n, true],
      [2n, undefined],
    ],
  )
  await close()
})

test('commits that are asked for at once are written in their order, without a gap', async () => {
  const { store, other, letGo, close } = await bay()
  await letGo()
  const ids = Array.from({ length: 40 }, (_, index) => `u${index}`)
  const offsets = await Promise.all(
    ids.map((id, index) => (index % 8 === 7 ? other : store).contracts.commit(update(id))),
  )
  assert.deepEqual(
    [...offsets].sort((a, b) => Number(a - b)),
    ids.map((_, index) => BigInt(index + 2)),
  )
  const own = ids.filter((_, index) => index % 8 !== 7)
  assert.deepEqual(
    (await idsIn(store)).filter((id) => own.includes(id)),
    own,
  )
  await close()
})

test('a ledger that has two ends takes no commit that was decided before', async () => {
  const { url, store, arrived, queued, letGo, close } = await bay()
  const first = store.contracts.commit(update('held'))
  await arrived()
  const second = store.contracts.commit(update('second'))
  await queued(1)
  const refused = assert.rejects(second, { code: 'COMMIT_REFUSED', invariant: 'ledger-end' })
  await asAdmin(url, 'insert into ledger_end (id, last_offset) values (2, 7)')
  await letGo()
  await first
  await refused
  await close()
})

/** What is read and written in random histories: few things, so that commits meet. */
const NAMES = ['a', 'b', 'c', 'd']
const READS: CommitReads = {
  contractIds: Array.from({ length: 200 }, (_, number) => `c${number}`),
  commandKeys: NAMES,
  facts: NAMES.map((key) => ({ kind: 'kind', key })),
}

/** A commit as it was decided last. */
interface Last {
  readonly seen: CommitFacts
  readonly writes: CommitWrites
}

/**
 * Changes whatever it finds: archives the oldest active contract, makes another, moves one, says a
 * fact and remembers a command.
 */
function meddling(number: number, told: (last: Last) => void): Commit<Last> {
  const name = NAMES[number % NAMES.length] ?? ''
  return {
    reads: READS,
    decide: (seen) => {
      const offset = seen.end.offset + 1n
      const [archived, moved] = [...seen.states]
        .filter(([, state]) => state.archivedOffset === 0n)
        .map(([contractId]) => contractId)
        .sort()
      const contract = { ...CONTRACT, contractId: `c${number}` }
      const { writes } = update(`u${number}`, [], {
        writes: () => ({
          creates: [{ contract, createdOffset: offset, archivedOffset: 0n, synchronizerId: 's' }],
          archives: archived === undefined ? [] : [{ contractId: archived, offset }],
          assignments:
            moved === undefined ? [] : [{ contractId: moved, offset, synchronizerId: name }],
          commands: [{ key: name, updateId: `u${number}`, offset, keptUntil: offset }],
          facts: [{ kind: 'kind', key: name, body: String(number) }],
        }),
      }).decide(seen)
      told({ seen, writes })
      return { writes, result: { seen, writes } }
    },
  }
}

/** What a commit reads after all that were written before it. */
function replayed(): { expect(seen: CommitFacts): void; write(writes: CommitWrites): void } {
  const states = new Map<string, Omit<ContractState, 'contract'>>()
  const commands = new Map<string, CommandRecord>()
  const facts = new Map<string, string>()
  return {
    expect: (seen) => {
      assert.deepEqual(sorted(seen.states), sorted(states))
      assert.deepEqual(sorted(seen.commands), sorted(commands))
      assert.deepEqual(sorted(seen.facts.get('kind') ?? new Map()), sorted(facts))
    },
    write: ({ creates, archives, assignments, commands: done, facts: said }) => {
      for (const { contract, ...state } of creates) states.set(contract.contractId, state)
      const change = (id: string, changed: Partial<ContractState>): void => {
        const state = states.get(id)
        if (state !== undefined) states.set(id, { ...state, ...changed })
      }
      for (const { contractId, offset } of archives) change(contractId, { archivedOffset: offset })
      for (const { contractId, synchronizerId } of assignments)
        change(contractId, { synchronizerId })
      for (const command of done) commands.set(command.key, command)
      for (const { key, body } of said) facts.set(key, body)
    },
  }
}

function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}

test('whoever commits beside it and whatever fails, each commit was decided on what is there', async () => {
  const { url, store, other, letGo, close } = await bay()
  await letGo()
  await asAdmin(
    url,
    `create sequence tries;
    create function disturb() returns trigger language plpgsql as $$ begin
      if nextval('tries') % 11 = 0 then raise exception using errcode = '40001'; end if;
      if new.update_id like '%7' then raise unique_violation; end if;
      return new;
    end $$;
    create trigger disturb before insert on updates for each row execute function disturb();`,
  )
  let guesses = 0
  const commits = Array.from({ length: 80 }, (_, number) => {
    // Alone in the middle, so that guesses are right there.
    const by = number % 5 === 4 && (number < 20 || number > 60) ? other : store
    return by.contracts.commit(
      meddling(number, ({ seen }) => {
        if (seen.isAhead === true) guesses += 1
      }),
    )
  })
  const ended = await Promise.allSettled(commits)
  const written = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  assert.equal(written.length, 72)
  const ledger = replayed()
  for (const [index, { seen, writes }] of written
    .sort((a, b) => Number(a.seen.end.offset - b.seen.end.offset))
    .entries()) {
    assert.equal(seen.end.offset, BigInt(index + 1))
    ledger.expect(seen)
    ledger.write(writes)
  }
  assert.ok(guesses > 20, `only ${guesses} were decided ahead`)
  await close()
})
