// Random commands against the model: whatever the order, store and model give the same answers and
// end with the same data. A failure prints fast-check's seed and path, which replay it.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { aParty, aProvider, PLENTY } from './check.ts'
import { StoreModel } from './model.ts'
import type { Check } from './check.ts'
import type { Store } from '../../store/store.ts'

const COMMANDS_AT_MOST = 100

/**
 * Calls the model, then the store, and answers both; the model first, so that arguments may depend
 * on its state.
 */
type Both = (model: StoreModel, store: Store) => readonly [unknown, Promise<unknown>]

class Command implements fc.AsyncCommand<StoreModel, Store> {
  readonly #label: string
  readonly #both: Both
  readonly #ran: () => void

  constructor(label: string, both: Both, ran: () => void) {
    this.#label = label
    this.#both = both
    this.#ran = ran
  }

  check(): boolean {
    return true
  }

  async run(model: StoreModel, store: Store): Promise<void> {
    const [expected, actual] = this.#both(model, store)
    assert.deepEqual(await actual, expected, this.#label)
    this.#ran()
  }

  toString(): string {
    return this.#label
  }
}

const ROUNDS_AT_MOST = 3

export const commandChecks: readonly Check[] = [
  {
    name: 'random commands answer as the model does and leave the same data',
    run: async ({ create, seedRuns }) => {
      let executed = 0
      const commands = fc.commands(
        commandArbitraries(() => (executed += 1)),
        {
          maxCommands: COMMANDS_AT_MOST,
          size: 'max',
        },
      )
      const answersAlike = fc.asyncProperty(commands, async (sequence) => {
        const store = await create()
        const model = new StoreModel()
        await fc.asyncModelRun(() => ({ model, real: store }), sequence)
        await sameData(model, store)
        await store.close()
      })
      // Some seeds draw short sequences only: then more of them are drawn.
      for (let round = 0; round < ROUNDS_AT_MOST && executed < seedRuns * 20; round += 1)
        await fc.assert(answersAlike, { numRuns: seedRuns, endOnFailure: false })
      assert.ok(executed >= seedRuns * 20, `only ${executed} commands in ${seedRuns} runs`)
    },
  },
]

const USER_IDS = ['a', 'a ', 'B', 'é', 'e\u0301', '\uffee', '😀', "o'k"]
const PROVIDER_IDS = ['', 'p', 'P', '\uffee', '😀']
const PARTY_IDS = ['x', 'X', 'xx', '\uffee', '😀', '😀😀']
const NOTE_NAMES = ['book', 'b']

/** A few come again and again, so that commands meet. */
const userId = fc.constantFrom('a', 'a', 'a', 'a', 'B', 'B', ...USER_IDS)
const providerId = fc.constantFrom('', '', '', '', ...PROVIDER_IDS, 'nowhere')
const text = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((value) => !value.includes('\0'))
const partyId = fc.constantFrom('x', 'x', 'x', 'X', ...PARTY_IDS)
const right = fc
  .tuple(fc.constantFrom('CanActAs', 'CanReadAs'), fc.constantFrom('', 'x', 'x', ...PARTY_IDS))
  .map(([kind, party]) => ({ kind, party }))
const rights = fc.array(right, { maxLength: 5 })
const annotations = fc.dictionary(fc.string(), fc.string({ unit: 'binary' }), {
  noNullPrototype: true,
})
const change = fc.record(
  {
    primaryParty: text,
    isDeactivated: fc.boolean(),
    primaryPartyAuthentication: fc.boolean(),
    annotations,
  },
  { noNullPrototype: true },
)
const newUser = fc
  .tuple(userId, providerId, change)
  .map(([id, identityProviderId, rest]) => ({ id, identityProviderId, ...rest }))
const provider = fc
  .tuple(providerId, fc.constantFrom('i', 'I', 'j', 'k'), text, fc.boolean())
  .map(([id, issuer, audience, isDeactivated]) =>
    aProvider(id, { issuer, audience, isDeactivated }),
  )
const smallLimit = fc.integer({ min: 0, max: 6 })
const newParty = fc
  .tuple(partyId, providerId, fc.boolean(), annotations, fc.constantFrom('', '', 'keys'))
  .map(([party, identityProviderId, isLocal, noted, topology]) =>
    aParty(party, { identityProviderId, isLocal, annotations: noted, topology }),
  )
const grantTo = fc.option(
  fc.record(
    { userId, maxRights: smallLimit, inProvider: providerId },
    { noNullPrototype: true, requiredKeys: ['userId', 'maxRights'] },
  ),
  { nil: undefined },
)
const noteKey = fc
  .tuple(userId, providerId, fc.constantFrom(...NOTE_NAMES))
  .map(([id, identityProviderId, name]) => ({ userId: id, identityProviderId, name }))
const noteText = fc.constantFrom('', 'one', 'two')
/** Difference to the version that is expected; mostly none. */
const off = fc.constantFrom(0n, 0n, 0n, 1n, -1n)
/** Whether an argument says what is there, so that there is something to do. */
const isRight = fc.constantFrom(true, true, false)
/** Undefined asks whatever the provider. */
const inProvider = fc.constantFrom('own', 'own', undefined, '', 'p')

type MakeCommand = <A extends readonly unknown[]>(
  name: string,
  args: fc.Arbitrary<A>,
  both: (...args: A) => Both,
) => fc.Arbitrary<Command>

function commandArbitraries(ran: () => void): fc.Arbitrary<Command>[] {
  const command: MakeCommand = (name, args, both) =>
    args.map((values) => new Command(`${name}${fc.stringify(values)}`, both(...values), ran))
  return [...userCommands(command), ...providerCommands(command), ...partyCommands(command)]
}

function providerOf(model: StoreModel, id: string, asked: string | undefined): string | undefined {
  return asked === 'own' ? (model.user(id)?.identityProviderId ?? '') : asked
}

function userCommands(command: MakeCommand): fc.Arbitrary<Command>[] {
  return [
    command('create', fc.tuple(newUser, rights), (user, list) => (m, s) => [
      m.create(user, list),
      s.users.create(user, list),
    ]),
    command('update', fc.tuple(userId, off, change), (id, by, next) => (m, s) => {
      const expected = (m.user(id)?.resourceVersion ?? 0n) + by
      return [m.update(id, expected, next), s.users.update(id, expected, next)]
    }),
    command(
      'updateGuarded',
      fc.tuple(userId, off, change, inProvider, isRight, fc.option(rights, { nil: undefined })),
      (id, by, next, where, asSeen, others) => (m, s) => {
        const expected = (m.user(id)?.resourceVersion ?? 0n) + by
        const seen = asSeen ? m.rights(id)?.toReversed() : others
        const guard = { inProvider: providerOf(m, id, where) ?? '', ...(seen && { rights: seen }) }
        return [m.update(id, expected, next, guard), s.users.update(id, expected, next, guard)]
      },
    ),
    command('delete', fc.tuple(userId, inProvider), (id, asked) => (m, s) => {
      const where = providerOf(m, id, asked)
      return [m.delete(id, where), s.users.delete(id, where)]
    }),
    command(
      'move',
      fc.tuple(userId, providerId, providerId, isRight),
      (id, other, to, asIs) => (m, s) => {
        const from = asIs ? (m.user(id)?.identityProviderId ?? other) : other
        return [m.move(id, from, to), s.users.move(id, from, to)]
      },
    ),
    command('get', fc.tuple(userId), (id) => (m, s) => [m.user(id), s.users.get(id)]),
    command(
      'list',
      fc.tuple(providerId, fc.constantFrom('', 'C', ...USER_IDS), smallLimit),
      (identityProviderId, after, limit) => (m, s) => {
        const page = { identityProviderId, after, limit }
        return [m.page(page), s.users.list(page)]
      },
    ),
    command(
      'grant',
      fc.tuple(userId, rights, smallLimit, inProvider),
      (id, list, limit, asked) => (m, s) => {
        const where = providerOf(m, id, asked)
        return [m.grant(id, list, limit, where), s.users.grant(id, list, limit, where)]
      },
    ),
    command('revoke', fc.tuple(userId, rights, inProvider), (id, list, asked) => (m, s) => {
      const where = providerOf(m, id, asked)
      return [m.revoke(id, list, where), s.users.revoke(id, list, where)]
    }),
    command('rights', fc.tuple(userId), (id) => (m, s) => [m.rights(id), s.users.rights(id)]),
    command(
      'writeNote',
      fc.tuple(noteKey, isRight, isRight, noteText, noteText),
      (key, asIs, asRead, other, next) => (m, s) => {
        const own = m.user(key.userId)?.identityProviderId
        const named = asIs ? { ...key, identityProviderId: own ?? '' } : key
        const expected = asRead ? m.note(named) : other
        return [m.writeNote(named, expected, next), s.notes.write(named, expected, next)]
      },
    ),
    command('readNote', fc.tuple(noteKey), (key) => (m, s) => [m.note(key), s.notes.read(key)]),
  ]
}

function providerCommands(command: MakeCommand): fc.Arbitrary<Command>[] {
  return [
    command('createProvider', fc.tuple(provider, smallLimit), (value, limit) => (m, s) => [
      m.createProvider(value, limit),
      s.identityProviders.create(value, limit),
    ]),
    command(
      'updateProvider',
      fc.tuple(provider, fc.option(isRight, { nil: undefined })),
      (value, asRead) => (m, s) => {
        const expected = asRead === undefined ? undefined : asRead ? m.provider(value.id) : value
        return [m.updateProvider(value, expected), s.identityProviders.update(value, expected)]
      },
    ),
    command('deleteProvider', fc.tuple(providerId), (id) => (m, s) => [
      m.deleteProvider(id),
      s.identityProviders.delete(id),
    ]),
    command('getProvider', fc.tuple(providerId), (id) => (m, s) => [
      m.provider(id),
      s.identityProviders.get(id),
    ]),
  ]
}

function partyCommands(command: MakeCommand): fc.Arbitrary<Command>[] {
  return [
    command('allocate', fc.tuple(newParty, grantTo), (party, grant) => (m, s) => [
      m.allocate(party, grant),
      s.parties.allocate(party, grant),
    ]),
    command('updateParty', fc.tuple(partyId, off, annotations), (id, by, noted) => (m, s) => {
      const expected = (m.parties([id])[0]?.resourceVersion ?? 0n) + by
      return [m.updateParty(id, expected, noted), s.parties.update(id, expected, noted)]
    }),
    command('getParties', fc.tuple(fc.array(partyId, { maxLength: 4 })), (ids) => (m, s) => [
      m.parties(ids),
      s.parties.get(ids),
    ]),
    command(
      'listParties',
      fc.tuple(providerId, fc.constantFrom('', '', 'x', '😀', 'y'), partyId, smallLimit),
      (identityProviderId, prefix, after, limit) => (m, s) => {
        const page = { identityProviderId, prefix, after, limit }
        return [m.partyPage(page), s.parties.list(page)]
      },
    ),
    ...[1, 2, 3].map(() => openWallet(command)),
    command('walletsAmong', fc.tuple(fc.array(partyId, { maxLength: 4 })), (ids) => (m, s) => [
      m.walletsAmong(ids).toSorted(),
      s.wallets.among(ids).then((found) => found.toSorted()),
    ]),
  ]
}

/** Mostly of a party that fits, for a user who is there. */
function openWallet(command: MakeCommand): fc.Arbitrary<Command> {
  return command(
    'openWallet',
    fc.tuple(userId, providerId, isRight, newParty, isRight, fc.boolean(), fc.boolean()),
    (id, other, isPlain, party, isFresh, createsUser, grantsActAs) => (m, s) => {
      const fresh = isPlain ? aParty(party.party) : party
      const opening = {
        userId: id,
        identityProviderId: isPlain ? (m.user(id)?.identityProviderId ?? '') : other,
        createsUser,
        party: isFresh ? { fresh } : { given: party.party },
        grantsActAs,
        maxRights: 2,
      }
      return [m.open(opening), s.wallets.open(opening)]
    },
  )
}

async function sameData(model: StoreModel, store: Store): Promise<void> {
  assert.deepEqual(await store.identityProviders.list(), model.providers())
  for (const identityProviderId of [...PROVIDER_IDS, 'nowhere']) {
    const page = { identityProviderId, after: '', limit: PLENTY }
    assert.deepEqual(await store.users.list(page), model.page(page))
  }
  assert.deepEqual(await store.parties.get(PARTY_IDS), model.parties(PARTY_IDS))
  for (const id of USER_IDS) {
    assert.deepEqual(await store.users.rights(id), model.rights(id))
    assert.equal(await store.wallets.party(id), model.wallet(id))
    for (const identityProviderId of PROVIDER_IDS)
      for (const name of NOTE_NAMES) {
        const key = { userId: id, identityProviderId, name }
        assert.equal(await store.notes.read(key), model.note(key))
      }
  }
}
