// The right of a validator to collect the validator coupons of a user, its own included.
// docs/economy-rules.md, "Onboarding"
import { ValidatorRight } from '../../generated/contracts.gen.ts'
import { choice, defineTemplate } from '../engine/index.ts'

export const validatorRight = defineTemplate(ValidatorRight, {
  signatories: ({ user, validator }) => [...new Set([user, validator])],
  issuer: ({ dso }) => dso,
  observers: ({ dso }) => [dso],
  keys: ({ user, validator }) => ({ user, validator }),
})

/** The user ends the right. */
export const validatorRightArchiveAsUser = choice(
  validatorRight,
  ValidatorRight.choices.ValidatorRight_ArchiveAsUser,
  {
    controllers: ({ user }) => [user],
    run: () => ({}),
  },
)

/** The validator gives the right up. */
export const validatorRightArchiveAsValidator = choice(
  validatorRight,
  ValidatorRight.choices.ValidatorRight_ArchiveAsValidator,
  { controllers: ({ validator }) => [validator], run: () => ({}) },
)
