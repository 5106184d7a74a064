// The name that a party goes by at its validator, large and letter by letter: the long number is
// the same for all parties of a validator, so nothing else tells them apart.
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { t } from '../lib/language.ts'
import { hintOf } from '../lib/party.ts'
import { doubtsOf } from '../lib/spelling.ts'
import { Groups } from './whole-party.tsx'
import classes from './whole-party.module.css'

/** A name with words for what the eye mistakes for something else. */
export function SpelledName({ of }: { readonly of: string }): ReactNode {
  const doubts = doubtsOf(hintOf(of))
  return (
    <div data-spelled>
      <div className={classes['spelled']}>
        <Groups of={hintOf(of)} />
      </div>
      {doubts.length === 0 ? null : (
        <ul className={classes['doubts']}>
          {doubts.map(({ words, places }) => (
            <Text component="li" size="sm" key={words}>
              {places.length === 1
                ? t('Character {0}: {1}', places.join(', '), words)
                : t('Characters {0}: {1}', places.join(', '), words)}
            </Text>
          ))}
        </ul>
      )}
    </div>
  )
}
