// Uploaded packages on a ledger of several nodes: a node runs what it has vetted, and what it does
// reaches nobody whose node has not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { member } from '../../runtime/host/member.ts'
import { openNodes } from '../nodes/in-process.ts'
import type { LocalNode } from '../nodes/in-process.ts'
import { commandsOf, createdId, exercise, path } from '../interfaces/ledger-kit.ts'
import { dar } from '../support/dar-writer.ts'
import { lookers, seen } from './small.ts'
import { archive, archiveSettings, create, interfaces, token, tokenTemplate } from './kit.ts'
import { released, skip } from './released.ts'

const SHOW = 'POST /v2/commands/submit-and-wait-for-transaction'
const TOKEN = tokenTemplate('Token')
const LOOKER = '#lookers:Lookers:Looker'
const OFFER = tokenTemplate('TokenTransferOffer')

for (const apart of [false, true])
  test(
    `a node runs what it and its counterparties have vetted, ${apart ? 'each in a process of its own' : 'in one process'}`,
    { skip },
    async () => {
      const { all, close } = await openNodes(['sv', 'user'], { apart, ...archiveSettings() })
      const [sv, user] = all
      assert.ok(sv !== undefined && user !== undefined)
      const [alice, bob] = await Promise.all([register(sv), register(user)])
      const dar = archive(released('test-token-v1-1.0.0'))
      await user.done('participant_admin', 'POST /v2/packages', dar)
      const refused = await sv.ask('trader', SHOW, {
        commands: commandsOf({ party: alice }, create(TOKEN, token(alice, alice, '1'))),
      })
      assert.equal(member(refused.json, 'code'), 'TEMPLATES_OR_INTERFACES_NOT_FOUND', refused.text)
      const transfer = {
        sender: bob,
        receiver: alice,
        amount: '2',
        instrumentId: { admin: bob, id: 'Gold' },
        requestedAt: '2020-01-01T00:00:00Z',
        executeBefore: '2090-01-01T00:00:00Z',
        inputHoldingCids: [],
        meta: { values: {} },
      }
      const offer = { commands: commandsOf({ party: bob }, create(OFFER, { transfer })) }
      const early = await user.ask('trader', SHOW, offer)
      assert.equal(member(early.json, 'code'), 'PACKAGE_SELECTION_FAILED', early.text)
      assert.match(early.text, /sv::.* has not vetted/, 'the receiver’s node is named')
      await sv.done('participant_admin', 'POST /v2/packages?vetAllPackages=false', dar)
      const unvetted = await user.ask('trader', SHOW, offer)
      assert.equal(member(unvetted.json, 'code'), 'PACKAGE_SELECTION_FAILED', unvetted.text)
      await sv.done('participant_admin', 'POST /v2/packages', dar)
      const shown = await user.done('trader', SHOW, offer)
      const value = { interfaceId: interfaces.transferInstruction, includeInterfaceView: true }
      const filter = { cumulative: [{ identifierFilter: { InterfaceFilter: { value } } }] }
      const end = await sv.done('trader', 'GET /v2/state/ledger-end')
      const viewed = await sv.done('trader', 'POST /v2/state/active-contracts', {
        activeAtOffset: path(end, 'offset'),
        eventFormat: { filtersByParty: { [alice]: filter }, verbose: true },
      })
      const event = path(viewed, '0', 'contractEntry', 'JsActiveContract', 'createdEvent')
      assert.equal(
        path(event, 'interfaceViews', 0, 'viewValue', 'transfer', 'amount'),
        '2.0000000000',
      )
      const accepted = await sv.ask('trader', SHOW, {
        commands: commandsOf(
          { party: alice },
          exercise(interfaces.transferInstruction, createdId(shown), 'TransferInstruction_Accept', {
            extraArgs: { context: { values: {} }, meta: { values: {} } },
          }),
        ),
      })
      assert.equal(accepted.status, 200, accepted.text)
      await close()
    },
  )

test('a node that learns of a fetch by an interface has vetted it', async (context) => {
  const { all, close } = await openNodes(['sv', 'user'])
  context.after(close)
  const [sv, user] = all
  assert.ok(sv !== undefined && user !== undefined)
  const [alice, bob] = await Promise.all([register(sv), register(user)])
  const both = new Uint8Array(dar({ main: lookers, others: [seen] }))
  await user.done('participant_admin', 'POST /v2/packages', both)
  await sv.done('participant_admin', 'POST /v2/packages?vetAllPackages=false', both)
  const vet = (packageId: string) =>
    sv.done('participant_admin', 'POST /v2/package-vetting/update', {
      changes: [{ operation: { Vet: { value: { packages: [{ packageId }] } } } }],
      updateVettedPackagesForceFlags: [
        'UPDATE_VETTED_PACKAGES_FORCE_FLAG_ALLOW_UNVETTED_DEPENDENCIES',
      ],
    })
  await vet(lookers.packageId)
  const made = { commands: commandsOf({ party: bob }, create(LOOKER, { owner: bob })) }
  const at = createdId(await user.done('trader', SHOW, made))
  const look = () =>
    user.ask('trader', SHOW, {
      commands: commandsOf({ party: bob }, exercise(LOOKER, at, 'Look', { at, watcher: alice })),
    })
  const early = await look()
  assert.equal(member(early.json, 'code'), 'PACKAGE_SELECTION_FAILED', early.text)
  assert.match(early.text, new RegExp(`sv::.* has not vetted .*${seen.packageId}`))
  await vet(seen.packageId)
  const looked = await look()
  assert.equal(looked.status, 200, looked.text)
})

async function register(node: LocalNode): Promise<string> {
  const answer = await node.done('trader', 'POST /api/validator/v0/register', {})
  return String(path(answer, 'party_id'))
}
