// What the page may do where anybody may be any user: speak for the operator, whose clock tells
// what the ledger takes for the time.
import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReactNode } from 'react'
import { keepSimulatedTime } from './clock.ts'
import { LIVE_MS } from './query-client.ts'
import { developmentSession } from './session.ts'
import { useWallet, validator, validatorOf } from './wallet.tsx'

type Client = ReturnType<typeof validatorOf>
type Clock = validator.Data<'getClock'>

/** The validator as its operator sees it; undefined in production, and until it is known. */
function useOperator(): Client | undefined {
  const { configuration } = useWallet()
  const once = { refetchInterval: false, staleTime: Infinity } as const
  const { data: info } = validator.useQuery(
    'getValidatorUserInfo',
    {},
    { ...once, enabled: configuration.development },
  )
  const operator = info?.user_name
  const { data } = useQuery({
    queryKey: ['development', 'operator', operator],
    ...once,
    enabled: operator !== undefined,
    queryFn: async () =>
      validatorOf(configuration, (await developmentSession(operator ?? '')).token),
  })
  return data
}

/**
 * Gives what is below it the operator's rights for hooks of the validator. Development profile
 * only.
 */
export function AsOperator({ children }: { readonly children: ReactNode }): ReactNode {
  const client = useOperator()
  return client === undefined ? null : (
    <validator.ClientContext.Provider value={client}>{children}</validator.ClientContext.Provider>
  )
}

/** The clock, asked for again only where somebody can move it. Below `AsOperator`. */
export function useClock(): UseQueryResult<Clock> {
  return validator.useQuery(
    'getClock',
    {},
    { refetchInterval: ({ state }) => (state.data?.simulated === false ? false : LIVE_MS) },
  )
}

/** Keeps the page's idea of the ledger's time right; shows nothing. */
export function LedgerTime(): ReactNode {
  const { configuration } = useWallet()
  return configuration.development ? (
    <AsOperator>
      <FollowClock />
    </AsOperator>
  ) : null
}

function FollowClock(): ReactNode {
  const { data } = useClock()
  useEffect(() => {
    keepSimulatedTime(data?.simulated === true ? Date.parse(data.now) : undefined)
  }, [data])
  return null
}
