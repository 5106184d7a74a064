// The totals of a round as facts: of the round itself, and of all rounds up to it.
import { z } from 'zod'
import { storedForm, whole } from '../../store/stored-form.ts'
import { sumsForm } from './sums.ts'

const roundSums = z.object({
  /** Sums of the round alone. */
  own: sumsForm,
  /** Sums of all rounds up to it. */
  all: sumsForm,
})

/** Sums of a party, or of everybody. */
export type RoundSums = Readonly<z.output<typeof roundSums>>

/** The form of a party's sums in a round. */
export const roundSumsForm = storedForm(roundSums)

const roundTotal = roundSums.extend({ effectiveAt: whole })

/** Sums of everybody, with the time at which the round was over, microseconds. */
export type RoundTotal = Readonly<z.output<typeof roundTotal>>

/** The form of a round's total. */
export const roundTotalForm = storedForm(roundTotal)
