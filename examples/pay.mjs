import { createClient, orThrow } from 'ledgerwright/client/validator'

const baseUrl = `${process.env.URL ?? 'http://127.0.0.1:8080'}/api/validator`
const as = (token) => orThrow(createClient({ baseUrl, token, retry: { attempts: 5 } }))
const [alice, bob] = [as(process.env.ALICE), as(process.env.BOB)]

await bob.createTransferPreapproval()
const { party_id: receiver_party_id } = await bob.userStatus()
const payment = { receiver_party_id, amount: '12.5', deduplication_id: 'lunch-1' }
await alice.transferPreapprovalSend({ body: { ...payment, description: 'Lunch' } })
console.log((await bob.getBalance()).effective_unlocked_qty)
