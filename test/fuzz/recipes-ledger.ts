// Proper requests of the ledger interface.
import type { Dice } from '../drive/dice.ts'
import { deal } from '../support/deal-package.ts'
import { dar } from '../support/dar-writer.ts'
import { publicKeyOf } from '../support/topology-reference.ts'
import { EXECUTOR } from './callers.ts'
import type { Purpose } from './holders.ts'
import type { Dish, Kitchen, Recipe } from './recipes.ts'

const RIGHTS = [
  'CanActAs',
  'CanReadAs',
  'CanExecuteAs',
  'CanActAs',
  'CanReadAs',
  'CanReadAs',
  'IdentityProviderAdmin',
  'CanReadAsAnyParty',
  'ParticipantAdmin',
] as const
const PROVIDERS = ['', '', '', 'p', 'q'] as const
const USER_PATHS = [
  'isDeactivated',
  'primaryParty',
  'metadata.annotations',
  'primary_party_authentication',
  'is_deactivated',
  'metadata.annotations',
]
const IDP_PATHS = [
  'isDeactivated',
  'issuer',
  'jwksUrl',
  'audience',
  'jwks_url',
  'identityProviderId',
]
const SHAPES = ['TRANSACTION_SHAPE_ACS_DELTA', 'TRANSACTION_SHAPE_LEDGER_EFFECTS']
const USERS = 25
const PACKAGES = 40

function mask(paths: readonly string[]): object {
  return { paths, unknownFields: { fields: {} } }
}

function someOf({ dice }: Kitchen, from: readonly string[]): readonly string[] {
  return [...new Set(Array.from({ length: dice.between(1, 3) }, () => dice.pick(from)))]
}

function partyOf({ memory, dice, party }: Kitchen): string {
  return dice.chance(0.4) ? party : (memory.some('party', dice) ?? party)
}

/** A user of a small number of names, so that requests meet. */
function userOf({ memory, dice }: Kitchen): string {
  const name = dice.chance(0.7) ? memory.some('user', dice) : undefined
  return name ?? `u${dice.between(1, USERS)}`
}

function rights(kitchen: Kitchen): readonly object[] {
  return Array.from({ length: kitchen.dice.between(0, 3) }, () => {
    const kind = kitchen.dice.pick(RIGHTS)
    const value =
      kind === 'CanActAs' || kind === 'CanReadAs' || kind === 'CanExecuteAs'
        ? { party: partyOf(kitchen) }
        : {}
    return { kind: { [kind]: { value } } }
  })
}

function annotations({ dice, memory }: Kitchen): object {
  const values = ['v', 'w', `v${memory.next()}`, ...(dice.chance(0.05) ? [''] : [])]
  return {
    annotations: Object.fromEntries(
      Array.from({ length: dice.between(0, 3) }, () => [
        `k${dice.between(1, 9)}`,
        dice.pick(values),
      ]),
    ),
  }
}

function userRecord(kitchen: Kitchen, id: string): object {
  const { dice } = kitchen
  return {
    id,
    identityProviderId: dice.pick(PROVIDERS),
    isDeactivated: dice.chance(0.2),
    metadata: annotations(kitchen),
    ...(dice.chance(0.3)
      ? { primaryParty: partyOf(kitchen), primaryPartyAuthentication: dice.chance(0.3) }
      : {}),
  }
}

const changeRights: Recipe = (kitchen) => {
  const user = userOf(kitchen)
  const body = {
    userId: user,
    identityProviderId: kitchen.dice.pick(PROVIDERS),
    rights: rights(kitchen),
  }
  return { path: { 'user-id': user }, body }
}

function submission(kitchen: Kitchen, party: string): object {
  const { memory, dice, commands, synchronizer } = kitchen
  const { commands: made, disclosed } = commands.make(memory, party, dice)
  const disclosedContracts = disclosed.map(({ id, templateId, blob }) => ({
    contractId: id,
    templateId,
    createdEventBlob: blob,
    synchronizerId: synchronizer,
  }))
  return {
    commandId: dice.chance(0.9) ? `c-${memory.next()}` : (memory.some('name:command', dice) ?? 'c'),
    actAs: [party],
    commands: made,
    disclosedContracts,
    ...(dice.chance(0.1) ? { readAs: [partyOf(kitchen)] } : {}),
    ...(dice.chance(0.1)
      ? { workflowId: `w-${dice.between(1, 5)}`, submissionId: `s-${memory.next()}` }
      : {}),
    ...(dice.chance(0.1) ? { synchronizerId: synchronizer } : {}),
    ...(dice.chance(0.1) ? { deduplicationPeriod: deduplication(dice) } : {}),
  }
}

function deduplication(dice: Dice): object {
  return { DeduplicationDuration: { value: { seconds: dice.pick([0, 60, 90_000]), nanos: 0 } } }
}

function eventFormat(kitchen: Kitchen): object {
  const { dice, commands } = kitchen
  const filter = dice.kind({ none: 4, wildcard: 2, template: 3, interface: 1 })
  const includeCreatedEventBlob = dice.chance(0.6)
  const includeInterfaceView = dice.chance(0.7)
  const interfaceFilter = {
    interfaceId: dice.pick(commands.interfaceIds),
    includeInterfaceView,
    includeCreatedEventBlob,
  }
  const filters = {
    none: {},
    wildcard: cumulative('WildcardFilter', { includeCreatedEventBlob }),
    template: cumulative('TemplateFilter', {
      templateId: dice.pick(commands.templateIds),
      includeCreatedEventBlob,
    }),
    interface: cumulative('InterfaceFilter', interfaceFilter),
  }[filter]
  if (kitchen.caller === EXECUTOR && dice.chance(0.6))
    return { filtersForAnyParty: filters, verbose: dice.chance(0.5) }
  return { filtersByParty: { [partyOf(kitchen)]: filters }, verbose: dice.chance(0.5) }
}

function cumulative(kind: string, value: object): object {
  return { cumulative: [{ identifierFilter: { [kind]: { value } } }] }
}

function updateFormat(kitchen: Kitchen): object {
  const transactionShape = kitchen.dice.pick(SHAPES)
  return {
    includeTransactions: { transactionShape, eventFormat: eventFormat(kitchen) },
    ...(kitchen.dice.chance(0.4) ? { includeReassignments: eventFormat(kitchen) } : {}),
  }
}

function updatesAsked(kitchen: Kitchen): object {
  const begin = Math.max(0, offset(kitchen) - kitchen.dice.between(0, 60))
  const end = kitchen.dice.chance(0.9) ? { endInclusive: offset(kitchen) } : {}
  return {
    beginExclusive: begin,
    ...end,
    updateFormat: updateFormat(kitchen),
    descendingOrder: kitchen.dice.chance(0.2),
  }
}

function offset({ memory, dice }: Kitchen): number {
  return Number(memory.some('name:offset', dice) ?? 1)
}

const signedBody =
  (purpose: Purpose, more: (kitchen: Kitchen) => object = () => ({})): Recipe =>
  (kitchen) => {
    const body = kitchen.memory.signed(purpose, kitchen.dice)
    return body === undefined ? undefined : { body: { ...body, ...more(kitchen) } }
  }

const upload: Recipe = ({ dice, memory }) => {
  const field = `${dice.pick(['amount', 'count'])}: ${dice.pick(['Int64', 'Text'])}`
  const name = `deals-${dice.between(1, PACKAGES)}`
  const main = deal(`1.${dice.between(0, 3)}.0`, field, name)
  memory.note('name:package', main.packageId)
  return {
    query: dice.chance(0.5) ? {} : { vetAllPackages: dice.chance(0.5) },
    body: new Uint8Array(dar({ main })),
  }
}

const list =
  (body: (kitchen: Kitchen) => object): Recipe =>
  (kitchen): Dish => ({
    query: {
      limit: kitchen.dice.pick([1, 10, 50]),
      stream_idle_timeout_ms: kitchen.dice.pick([0, 1, 20]),
    },
    body: body(kitchen),
  })

export const LEDGER_RECIPES: Readonly<Record<string, Recipe>> = {
  'ledger createUser': (kitchen) => ({
    body: { user: userRecord(kitchen, userOf(kitchen)), rights: rights(kitchen) },
  }),
  'ledger updateUser': (kitchen) => {
    const id = userOf(kitchen)
    return {
      path: { 'user-id': id },
      body: { user: userRecord(kitchen, id), updateMask: mask(someOf(kitchen, USER_PATHS)) },
    }
  },
  'ledger grantUserRights': changeRights,
  'ledger revokeUserRights': changeRights,
  'ledger updateUserIdentityProviderId': (kitchen) => {
    const [id, ids] = [userOf(kitchen), ['', 'p', 'q']]
    const body = {
      userId: id,
      sourceIdentityProviderId: kitchen.dice.pick(ids),
      targetIdentityProviderId: kitchen.dice.pick(ids),
    }
    return { path: { 'user-id': id }, body }
  },
  'ledger createIdentityProviderConfig': ({ dice, memory, keysUrl }) => {
    const identityProviderId = `idp-${dice.between(1, 40)}`
    memory.note('name:identityprovider', identityProviderId)
    const own = {
      identityProviderId,
      issuer: `https://${identityProviderId}.example`,
      jwksUrl: keysUrl,
    }
    return { body: { identityProviderConfig: { ...own, isDeactivated: dice.chance(0.3) } } }
  },
  'ledger updateIdentityProviderConfig': (kitchen) => {
    const identityProviderId = `idp-${kitchen.dice.between(1, 40)}`
    const own = {
      identityProviderId,
      issuer: `https://${identityProviderId}.example/new`,
      jwksUrl: kitchen.keysUrl,
    }
    const identityProviderConfig = { ...own, audience: 'a', isDeactivated: false }
    return {
      path: { 'idp-id': identityProviderId },
      body: { identityProviderConfig, updateMask: mask(someOf(kitchen, IDP_PATHS)) },
    }
  },
  'ledger deleteIdentityProviderConfig': ({ dice }) => ({
    path: { 'idp-id': `idp-${dice.between(1, 40)}` },
  }),
  'ledger allocateParty': (kitchen) => {
    const { dice, memory } = kitchen
    const named = dice.chance(0.3) ? { userId: userOf(kitchen) } : {}
    const own = {
      partyIdHint: `h-${memory.next()}`,
      identityProviderId: dice.pick(PROVIDERS),
      localMetadata: annotations(kitchen),
    }
    return { body: { ...own, ...named } }
  },
  'ledger updatePartyDetails': (kitchen) => {
    const party = partyOf(kitchen)
    const partyDetails = {
      party,
      isLocal: true,
      identityProviderId: '',
      localMetadata: annotations(kitchen),
    }
    return {
      path: { party },
      body: { partyDetails, updateMask: mask(['localMetadata.annotations']) },
    }
  },
  'ledger generateExternalPartyTopology': ({ dice, holders, synchronizer }) => ({
    body: {
      synchronizer,
      partyHint: `x${dice.between(1, 500)}`,
      publicKey: publicKeyOf(holders.any(dice)),
    },
  }),
  'ledger allocateExternalParty': signedBody('allocation', (kitchen) =>
    kitchen.dice.chance(0.5) ? {} : { userId: userOf(kitchen) },
  ),
  'ledger submitAndWait': (kitchen) => ({ body: submission(kitchen, kitchen.party) }),
  'ledger submitAndWaitForTransaction': (kitchen) => {
    const transactionFormat = {
      transactionShape: kitchen.dice.pick(SHAPES),
      eventFormat: eventFormat(kitchen),
    }
    return {
      body: {
        commands: submission(kitchen, kitchen.party),
        ...(kitchen.dice.chance(0.5) ? {} : { transactionFormat }),
      },
    }
  },
  'ledger prepareSubmission': (kitchen) => {
    const outside = kitchen.memory.some('outside', kitchen.dice) ?? kitchen.party
    return {
      body: { ...submission(kitchen, outside), verboseHashing: kitchen.dice.chance(0.3) },
    }
  },
  'ledger executeSubmission': signedBody('execution'),
  'ledger executeSubmissionAndWait': signedBody('execution'),
  'ledger executeSubmissionAndWaitForTransaction': signedBody('execution'),
  'ledger getUpdates': list(updatesAsked),
  'ledger getFlatUpdates': list(updatesAsked),
  'ledger getUpdateTrees': list((kitchen) => ({
    beginExclusive: Math.max(0, offset(kitchen) - kitchen.dice.between(0, 60)),
    endInclusive: offset(kitchen),
    filter: { filtersByParty: { [kitchen.party]: {} } },
  })),
  'ledger getUpdatesPage': (kitchen) => ({
    body: {
      beginOffsetExclusive: Math.max(0, offset(kitchen) - kitchen.dice.between(0, 60)),
      ...(kitchen.dice.chance(0.5) ? {} : { endOffsetInclusive: offset(kitchen) }),
      maxPageSize: kitchen.dice.between(0, 20),
      updateFormat: updateFormat(kitchen),
      descendingOrder: kitchen.dice.chance(0.3),
    },
  }),
  'ledger getActiveContractsPage': (kitchen) => ({
    body: {
      ...(kitchen.dice.chance(0.5) ? {} : { activeAtOffset: offset(kitchen) }),
      eventFormat: eventFormat(kitchen),
      maxPageSize: kitchen.dice.between(0, 20),
    },
  }),
  'ledger getActiveContracts': list((kitchen) => ({
    activeAtOffset: offset(kitchen),
    eventFormat: eventFormat(kitchen),
  })),
  'ledger getCompletions': list((kitchen) => ({
    beginExclusive: Math.max(0, offset(kitchen) - 50),
    parties: [kitchen.party],
  })),
  'ledger getUpdateById': (kitchen) => {
    const updateId = kitchen.memory.some('update', kitchen.dice) ?? 'x'
    return { body: { updateId, updateFormat: updateFormat(kitchen) } }
  },
  'ledger getUpdateByOffset': (kitchen) => ({
    body: { offset: offset(kitchen), updateFormat: updateFormat(kitchen) },
  }),
  'ledger getTransactionById': (kitchen) => {
    const updateId = kitchen.memory.some('update', kitchen.dice) ?? 'x'
    return { body: { updateId, requestingParties: [kitchen.party] } }
  },
  'ledger getTransactionByOffset': (kitchen) => ({
    body: { offset: offset(kitchen), requestingParties: [kitchen.party] },
  }),
  'ledger getTransactionTreeById': (kitchen) => ({
    path: { 'update-id': kitchen.memory.some('update', kitchen.dice) ?? 'x' },
    query: { parties: [partyOf(kitchen)] },
  }),
  'ledger getTransactionTreeByOffset': (kitchen) => ({
    path: { offset: offset(kitchen) },
    query: { parties: [partyOf(kitchen)] },
  }),
  'ledger uploadDar': upload,
  'ledger uploadPackages': upload,
  'ledger validateDar': upload,
}
