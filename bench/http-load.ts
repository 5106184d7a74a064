// The load of bench/http.ts as a process: `node http-load.ts PORT get|post SECONDS TOKEN` prints
// how many were answered.
import autocannon from 'autocannon'
import { COMMAND, GET_PATH, POST_PATH } from './http-sample.ts'

const [port, kind, seconds, token] = process.argv.slice(2)
const isPost = kind === 'post'

const result = await autocannon({
  url: `http://127.0.0.1:${port}${isPost ? POST_PATH : GET_PATH}`,
  method: isPost ? 'POST' : 'GET',
  connections: 32,
  duration: Number(seconds),
  headers: {
    authorization: `Bearer ${token}`,
    ...(isPost ? { 'content-type': 'application/json' } : {}),
  },
  ...(isPost ? { body: JSON.stringify(COMMAND) } : {}),
})
if (result.non2xx > 0 || result.errors > 0)
  throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
console.log(result['2xx'])
