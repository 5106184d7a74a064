// Later versions of this program, made of its sources: contracts.yaml and the code that goes with
// it are edited as somebody would who regenerates when the spec changes. docs/regenerate.md
import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from '../../codegen/index.ts'
import { ROOT } from '../support/service.ts'
import { editOnce } from '../support/source-edit.ts'

/** Text that stands in a file once, and what takes its place. */
export interface Edit {
  readonly file: string
  readonly from: string
  readonly to: string
}

export interface ProgramVersion {
  /** The command's file. */
  readonly main: string
  readonly folder: string
  remove(): Promise<void>
}

const SOURCES = [
  'spec',
  'codegen',
  'generated',
  'runtime',
  'plugins',
  'package.json',
  'codegen.config.ts',
]
const COIN = 'runtime/contracts/coin.ts'
const LOCKED = 'runtime/contracts/locked-coin.ts'
const OFFER = 'runtime/contracts/wallet/transfer-offer.ts'
const SPEC = 'spec/contracts.yaml'

/**
 * An optional field in a template of each package: nothing has to be written for contracts of
 * before.
 */
export const SECOND: readonly Edit[] = [
  version('network-coin', '0.3.0', '0.4.0'),
  version('network-wallet', '0.4.0', '0.5.0'),
  spec(
    'fields: { dso: Party, owner: Party, amount: ExpiringAmount }',
    'fields: { dso: Party, owner: Party, amount: ExpiringAmount, memo: Text? }',
  ),
  spec(
    'fields: { sender: Party, receiver: Party, dso: Party, amount: PaymentAmount, expiresAt: Time, trackingId: Text(280) }',
    'fields: { sender: Party, receiver: Party, dso: Party, amount: PaymentAmount, expiresAt: Time, trackingId: Text(280), note: Text? }',
  ),
  {
    file: 'runtime/contracts/transfer.ts',
    from: 'dso: rules.dso, owner, amount: expiringAmount(round, amount) }',
    to: 'dso: rules.dso, owner, amount: expiringAmount(round, amount), memo: null }',
  },
  {
    file: 'runtime/contracts/transfer.ts',
    from: 'owner: receiver, amount: expiringAmount(scope.round, amount) }',
    to: 'owner: receiver, amount: expiringAmount(scope.round, amount), memo: null }',
  },
  {
    file: 'runtime/contracts/tap-and-mint.ts',
    from: 'owner: receiver, amount: expiringAmount(round, amount) }',
    to: 'owner: receiver, amount: expiringAmount(round, amount), memo: null }',
  },
  {
    file: OFFER,
    from: 'tx.create(acceptedTransferOffer, accepted)',
    to: 'tx.create(acceptedTransferOffer, { ...accepted, note: null })',
  },
]

/** A required field in each: `upgrade` says what contracts of before have in it. */
export const THIRD: readonly Edit[] = [
  version('network-coin', '0.4.0', '0.5.0'),
  version('network-wallet', '0.5.0', '0.6.0'),
  spec(
    'amount: ExpiringAmount, memo: Text? }',
    'amount: ExpiringAmount, memo: Text?, origin: Text }',
  ),
  spec(
    'trackingId: Text(280), note: Text? }',
    'trackingId: Text(280), note: Text?, channel: Text }',
  ),
  {
    file: 'runtime/contracts/transfer.ts',
    from: 'owner, amount: expiringAmount(round, amount), memo: null }',
    to: `owner, amount: expiringAmount(round, amount), memo: null, origin: 'transfer' }`,
  },
  {
    file: 'runtime/contracts/transfer.ts',
    from: 'amount: expiringAmount(scope.round, amount), memo: null }',
    to: `amount: expiringAmount(scope.round, amount), memo: null, origin: 'transfer' }`,
  },
  {
    file: 'runtime/contracts/tap-and-mint.ts',
    from: 'amount: expiringAmount(round, amount), memo: null }',
    to: `amount: expiringAmount(round, amount), memo: null, origin: 'mint' }`,
  },
  {
    file: OFFER,
    from: '{ ...accepted, note: null }',
    to: `{ ...accepted, note: null, channel: 'wallet' }`,
  },
  {
    file: COIN,
    from: 'export const coin = defineTemplate(Coin, {\n',
    to: `export const coin = defineTemplate(Coin, {\n  upgrades: { '0.4.0': (from) => ({ ...from, origin: 'before 0.5.0' }) },\n`,
  },
  {
    file: LOCKED,
    from: 'export const lockedCoin = defineTemplate(LockedCoin, {\n',
    to:
      'export const lockedCoin = defineTemplate(LockedCoin, {\n' +
      `  upgrades: { '0.4.0': ({ coin: held, lock }) => ({ coin: { ...held, origin: 'before 0.5.0' }, lock }) },\n`,
  },
  {
    file: OFFER,
    from: 'export const acceptedTransferOffer = defineTemplate(AcceptedTransferOffer, {\n',
    to:
      'export const acceptedTransferOffer = defineTemplate(AcceptedTransferOffer, {\n' +
      `  upgrades: { '0.5.0': (from) => ({ ...from, channel: 'before 0.5.0' }) },\n`,
  },
]

function version(name: string, from: string, to: string): Edit {
  return spec(`${name}: { version: ${from} }`, `${name}: { version: ${to} }`)
}

function spec(from: string, to: string): Edit {
  return { file: SPEC, from, to }
}

/** The program of the sources in `folder`, edited and generated again. */
export async function nextVersion(edits: readonly Edit[], folder = ROOT): Promise<ProgramVersion> {
  const target = await mkdtemp(join(tmpdir(), 'lw-version-'))
  for (const source of SOURCES) {
    await cp(join(folder, source), join(target, source), {
      recursive: true,
      filter: (path) => !path.includes('node_modules'),
    })
  }
  await symlink(join(ROOT, 'node_modules'), join(target, 'node_modules'), 'dir')
  for (const { file, from, to } of edits) {
    const text = await readFile(join(target, file), 'utf8')
    await writeFile(join(target, file), editOnce(text, from, to))
  }
  await generateContracts(target)
  return {
    main: join(target, 'runtime/cli/main.ts'),
    folder: target,
    remove: () => rm(target, { recursive: true, force: true }),
  }
}

/** Generates what contracts alone make; the documents of the interfaces have not changed. */
async function generateContracts(root: string): Promise<void> {
  const { status, findings } = await generate({
    root,
    config: { interfaces: [], out: 'contracts-only', contracts: SPEC },
  })
  assert.deepEqual([status, findings], ['written', []])
  await cp(join(root, 'contracts-only'), join(root, 'generated'), { recursive: true })
}
