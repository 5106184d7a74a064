// The load of bench/http.ts as a process: `node http-load.ts PORT get|post|mix SECONDS TOKEN` says
// how many were answered. `mix` asks for every operation of the fixture in turn.
import { readFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { parse } from 'yaml'
import { COMMAND, GET_PATH, POST_PATH } from './http-sample.ts'

interface Asked {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const [port, kind = '', seconds, token] = process.argv.slice(2)

const get = (path: string): Asked => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}` },
})
const post = (path: string): Asked => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify(COMMAND),
})

/** Requests of the fixture, with a value for each parameter. */
function everyOperation(): readonly Asked[] {
  const text = readFileSync(new URL('fixtures/bench.yaml', import.meta.url), 'utf8')
  const { paths }: { readonly paths: Readonly<Record<string, object>> } = parse(text)
  return Object.entries(paths).flatMap(([template, methods]) => {
    const path = template.replace('{user-id}', 'alice').replaceAll(/\{[\w-]+\}/g, 'a1')
    return Object.keys(methods).map((method) => (method === 'post' ? post(path) : get(path)))
  })
}

const KINDS: Readonly<Record<string, () => readonly Asked[]>> = {
  get: () => [get(GET_PATH)],
  post: () => [post(POST_PATH)],
  mix: everyOperation,
}

const result = await autocannon({
  url: `http://127.0.0.1:${port}`,
  connections: 32,
  duration: Number(seconds),
  requests: KINDS[kind]?.() ?? [],
})
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
console.log(result['2xx'])
