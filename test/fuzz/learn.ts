// What an answer teaches: values by their shape and by the name of the member that holds them, and
// contracts with their content.
import { member } from '../../runtime/host/member.ts'
import { keyOf } from '../../runtime/testing/conform/names.ts'
import type { Dice } from '../drive/dice.ts'
import type { Memory } from './memory.ts'

const MAX_NODES = 600
const MAX_LENGTH = 400
const CONTRACT = /^00[0-9a-f]{96}$/
const UPDATE = /^1220[0-9a-f]{64}$/
const PARTY = /^[^:]+::1220[0-9a-f]{64}$/
const PLACE = /synchronizer|domain|participant|member/i
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const LISTED = 12

/** Members that name the contract of a template without saying so, by name. */
const ENTITIES: Readonly<Record<string, string>> = {
  offer_contract_id: 'TransferOffer',
  accepted_offer_contract_id: 'AcceptedTransferOffer',
  transfer_instruction_cid: 'CoinTransferInstruction',
  transfer_preapproval_contract_id: 'TransferPreapproval',
  development_fund_coupon_contract_id: 'DevelopmentFundCoupon',
}

/**
 * Forgets, one time in two, contracts that a refusal names: they may be gone, or somebody else's.
 */
export function unlearn(memory: Memory, text: string, dice: Dice): void {
  for (const [id] of text.matchAll(/00[0-9a-f]{96}/g))
    if (dice.chance(0.5)) memory.forgetContract(id)
}

/** Takes in the JSON of a success. */
export function learn(memory: Memory, value: unknown): void {
  let left = MAX_NODES
  const step = (item: unknown, name: string, owner: string): void => {
    left -= 1
    if (left < 0) return
    if (typeof item === 'string') learnText(memory, item, name, owner)
    else if (typeof item === 'number' || typeof item === 'bigint')
      memory.note(`name:${keyOf(name, owner)}`, String(item))
    else if (Array.isArray(item)) for (const one of item.slice(-LISTED)) step(one, name, owner)
    else if (typeof item === 'object' && item !== null) {
      learnContract(memory, item)
      for (const [key, one] of Object.entries(item)) {
        if (PARTY.test(key) || CONTRACT.test(key)) learnText(memory, key, name, owner)
        step(one, key, name)
      }
    }
  }
  step(value, '', '')
}

function learnText(memory: Memory, text: string, name: string, owner: string): void {
  if (text === '' || text.length > MAX_LENGTH) return
  if (CONTRACT.test(text)) {
    memory.note('contract', text)
    const entity = ENTITIES[name]
    if (entity !== undefined)
      memory.noteContract({ id: text, templateId: `::${entity}`, payload: undefined, blob: '' })
  } else if (UPDATE.test(text)) memory.note('update', text)
  else if (PARTY.test(text))
    memory.note(PLACE.test(name) || PLACE.test(text) ? 'place' : 'party', text)
  else if (TIME.test(text)) memory.note('time', text)
  if (!PARTY.test(text) && /^user(?:name)?s?$/.test(keyOf(name, owner))) memory.note('user', text)
  if (name === 'name' && owner === 'automations') memory.note('automation', text)
  memory.note(`name:${keyOf(name, owner)}`, text)
}

/** Contracts of the ledger interface in its spelling, and those of the others in theirs. */
function learnContract(memory: Memory, item: object): void {
  const id = member(item, 'contractId') ?? member(item, 'contract_id')
  const templateId = member(item, 'templateId') ?? member(item, 'template_id')
  if (typeof id !== 'string' || typeof templateId !== 'string' || !CONTRACT.test(id)) return
  const payload = member(item, 'createArgument') ?? member(item, 'payload')
  const blob = member(item, 'createdEventBlob') ?? member(item, 'created_event_blob')
  memory.noteContract({ id, templateId, payload, blob: typeof blob === 'string' ? blob : '' })
}
