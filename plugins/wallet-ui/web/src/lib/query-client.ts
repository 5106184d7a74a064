// How data is kept: asked again every second and a half while the page is seen, kept on screen
// while the server is away.
import { QueryClient } from '@tanstack/react-query'
import { isRefusal } from './problem.ts'

/** Well below the two seconds within which a change must show. */
export const LIVE_MS = 1_500

/** The store of all that was read. int64 in keys is bigint, which JSON does not know. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryKeyHashFn: (key) =>
          JSON.stringify(key, (_, value: unknown) =>
            typeof value === 'bigint' ? `${value}n` : value,
          ),
        refetchInterval: LIVE_MS,
        networkMode: 'always',
        // A refusal stays one; without an answer the next interval asks anyway.
        retry: (failures, error) => !isRefusal(error) && failures < 1,
        structuralSharing: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
