// A request as a curl command for a POSIX shell that sends the same bytes when pasted.
import type { WireRequest } from './facts.ts'

/** Text that a terminal shows unchanged; anything else is pasted as base64. */
const PRINTABLE = /^(?:[\t\n]|[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])*$/u

/**
 * The command. `secret` replaces a text that must not be shown, such as a token, by a piece of
 * shell that yields it.
 *
 * @example curlCommand('http://127.0.0.1:8080', request) // curl -i
 *   'http://127.0.0.1:8080/v2/version'
 */
export function curlCommand(
  origin: string,
  request: WireRequest,
  secret?: { readonly text: string; readonly shell: string },
): string {
  const { method, headers, body } = request
  const url = origin + request.target
  const data = body === undefined ? { before: '', option: undefined } : dataOption(body)
  const implied = body === undefined ? 'GET' : 'POST'
  const parts = [
    `curl -i${/[[\]{}]/u.test(url) ? ' -g' : ''}${/\/\.{1,2}(?:\/|\?|$)/u.test(request.target) ? ' --path-as-is' : ''}`,
    ...(method === 'HEAD' ? ['-I'] : method === implied ? [] : [`-X ${method}`]),
    quote(url),
    ...headers.map(([name, value]) => `-H ${header(name, value, secret)}`),
    ...(data.option === undefined ? [] : [data.option]),
    ...(body !== undefined && !headers.some(([name]) => name.toLowerCase() === 'content-type')
      ? [`-H 'content-type:'`]
      : []),
  ]
  return data.before + parts.join(' ')
}

/** curl wants `name;` for a header without value. */
function header(
  name: string,
  value: string,
  secret: { readonly text: string; readonly shell: string } | undefined,
): string {
  if (value === '') return quote(`${name};`)
  if (secret === undefined || secret.text === '' || !value.includes(secret.text))
    return quote(`${name}: ${value}`)
  const [before = '', ...after] = `${name}: ${value}`.split(secret.text)
  return `${quote(before)}"${secret.shell}"${after.map((text) => (text === '' ? '' : quote(text))).join('')}`
}

function dataOption(body: Uint8Array): { readonly before: string; readonly option: string } {
  const text = Buffer.from(body).toString('utf8')
  if (PRINTABLE.test(text) && Buffer.from(text, 'utf8').equals(body))
    return { before: '', option: `--data-raw ${quote(text)}` }
  const base64 = Buffer.from(body).toString('base64')
  return { before: `printf %s '${base64}' | base64 -d | `, option: '--data-binary @-' }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
