// Takes secrets out of addresses before anybody reads them: in what the configuration prints, in
// errors, in the banner, in logs.

export const MASK = '********'

/** Every address in a text, to its end or a quote. */
const ADDRESS = /([a-z][a-z0-9+.-]*):\/\/([^\s"'<>`\\]*)/gi
const SECRET_NAME = new RegExp(
  [
    'pass(word|wd|phrase)?$',
    'pwd$',
    'secret',
    'token',
    'credential',
    'auth(?!or)',
    'jwt',
    'session',
    '(api|access|private|shared|account|ssl)[-_.]?key',
    '(^|[-_.])key$',
    '(^|[-_.])sig(nature)?$',
    '(^|[-_.])code$',
  ].join('|'),
  'i',
)

/**
 * Masks passwords of users and values of parameters whose name sounds secret, in all addresses of a
 * text. Of addresses for http(s) the user too, since tokens stand there.
 *
 * @example maskUrls('postgres://ann:pw@db/x?sslmode=require') // 'postgres://ann:********@db/x?sslmode=require'
 */
export function maskUrls(text: string): string {
  if (!text.includes('://')) return text
  return text.replaceAll(ADDRESS, (_address, scheme: string, rest: string) => {
    const [place = '', query = ''] = splitAt(rest, rest.search(/[?#]/))
    return `${scheme}://${maskUser(scheme, place)}${maskParameters(query)}`
  })
}

function splitAt(text: string, at: number): readonly [string, string] {
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

/**
 * The user ends at the last `@` before the path, or, where a password was not encoded as it should
 * be, at the last one.
 */
function maskUser(scheme: string, place: string): string {
  const [authority, path] = splitAt(place, place.indexOf('/'))
  const isWeb = /^https?$/i.test(scheme)
  const end = isWeb ? authority.lastIndexOf('@') : place.lastIndexOf('@')
  if (end < 0) return place
  const [user, rest] = isWeb
    ? [authority.slice(0, end), authority.slice(end) + path]
    : splitAt(place, end)
  if (isWeb) return MASK + rest
  return user.includes(':') ? `${user.slice(0, user.indexOf(':'))}:${MASK}${rest}` : user + rest
}

/**
 * `?a=1&token=x#b`. A secret ends with `&` or `#`: some servers take `;` for the end of a
 * parameter, others for a part of it.
 */
function maskParameters(query: string): string {
  return query.replaceAll(
    /([?&#])([^&#]*)/g,
    (_whole, before: string, parameters: string) => before + maskList(parameters),
  )
}

function maskList(parameters: string): string {
  let shown = ''
  for (const parameter of parameters.split(/(?<=;)/)) {
    const equals = parameter.indexOf('=')
    if (equals >= 0 && sounds(parameter.slice(0, equals)))
      return `${shown}${parameter.slice(0, equals + 1)}${MASK}`
    shown += parameter
  }
  return shown
}

function sounds(name: string): boolean {
  try {
    return SECRET_NAME.test(decodeURIComponent(name))
  } catch {
    return SECRET_NAME.test(name)
  }
}
