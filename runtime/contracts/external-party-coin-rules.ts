// The coin's factory of transfers and allocations, one contract in the network; other files bind
// choices to it.
import {
  AllocationFactory,
  ExternalPartyCoinRules,
  TransferFactory,
} from '../../generated/contracts.gen.ts'
import { defineTemplate } from '../engine/index.ts'
import { NO_METADATA } from './metadata.ts'
import { ofNetwork } from './of-network.ts'

export const externalPartyCoinRules = defineTemplate(ExternalPartyCoinRules, {
  ...ofNetwork,
  views: {
    [AllocationFactory.id]: ({ dso }) =>
      AllocationFactory.view.encode({ admin: dso, meta: NO_METADATA }),
    [TransferFactory.id]: ({ dso }) =>
      TransferFactory.view.encode({ admin: dso, meta: NO_METADATA }),
  },
})
