// An offer that bob accepts, with every answer looked at: what an app does that has something to
// say to its user for each. The ids come from the app's own records: whoever runs this again makes
// no second offer.
import { setTimeout } from 'node:timers/promises'
import { createClient } from 'ledgerwright/client/validator'

const baseUrl = `${process.env.URL ?? 'http://127.0.0.1:8080'}/api/validator`
const client = (token) => createClient({ baseUrl, token, retry: { attempts: 5 } })
const [alice, bob] = [client(process.env.ALICE), client(process.env.BOB)]
const tracking_id = process.env.INVOICE ?? 'invoice-1'

const status = await bob.userStatus()
if (status.status !== 200) throw new Error(`bob has no wallet: ${status.status}`)
const offer = {
  receiver_party_id: status.body.party_id,
  amount: process.env.AMOUNT ?? '3.25',
  description: 'Two coffees',
  expires_at: BigInt(Date.parse('2100-01-01T00:00:00Z')) * 1_000n,
  tracking_id,
}
const made = await alice.createTransferOffer({ body: offer })
switch (made.status) {
  case 200:
    await bob.acceptTransferOffer({ path: { contract_id: made.body.offer_contract_id } })
    console.log(await ended())
    break
  case 409:
    console.log('the invoice was offered before, for something else')
    break
  default:
    console.log(`not offered: ${made.status} ${made.body.error}`)
}

/** Alice's side pays by itself once bob has accepted. */
async function ended() {
  for (;;) {
    const { status, body } = await alice.getTransferOfferStatus({ path: { tracking_id } })
    if (status === 200 && body.status !== 'created' && body.status !== 'accepted')
      return body.status
    await setTimeout(200)
  }
}
