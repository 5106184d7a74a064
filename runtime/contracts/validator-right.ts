// The right of a validator to collect the validator coupons of a user, its own included.
// docs/economy-rules.md, "Onboarding"
import { ValidatorRight } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'
import { ofNetwork } from './of-network.ts'

export const validatorRight = defineTemplate(ValidatorRight, {
  ...ofNetwork,
  signatories: ({ user, validator }) => [user, validator],
  observers: ({ dso }) => [dso],
})

/** The user ends the right. */
export const validatorRightArchiveAsUser = choice(
  validatorRight,
  ValidatorRight.choices.ValidatorRight_ArchiveAsUser,
  {
    controllers: ({ user }) => [user],
  },
)

/** The validator gives the right up. */
export const validatorRightArchiveAsValidator = choice(
  validatorRight,
  ValidatorRight.choices.ValidatorRight_ArchiveAsValidator,
  { controllers: ({ validator }) => [validator] },
)
