// The health check of the image: asks the service whether it is ready. No shell, no curl.
// Exit code 0: ready; 1: it is not, or nothing answers, with the reason on standard error.
const url = `http://127.0.0.1:${process.env.PORT ?? 8080}/readyz`
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(8_000) })
  if (!answer.ok) throw new Error((await answer.text()).trim())
} catch (error) {
  process.stderr.write(`${url}: ${error.message}\n`)
  process.exitCode = 1
}
