// The coin's transfer factory, one contract in the network; other files bind choices to it.
import { ExternalPartyCoinRules, TransferFactory } from '../../generated/contracts.gen.ts'
import { defineTemplate } from '../engine/index.ts'
import { NO_METADATA } from './metadata.ts'

export const externalPartyCoinRules = defineTemplate(ExternalPartyCoinRules, {
  signatories: ({ dso }) => [dso],
  issuer: ({ dso }) => dso,
  keys: ({ dso }) => ({ dso }),
  views: {
    [TransferFactory.id]: ({ dso }) =>
      TransferFactory.view.encode({ admin: dso, meta: NO_METADATA }),
  },
})
