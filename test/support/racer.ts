// A client process that waits for the starting shot and then updates one user with the version it
// is given. Shot: { url, token, id, version } by message; answers with the status.
interface Shot {
  readonly url: string
  readonly token: string
  readonly id: string
  readonly version: string
}

function isShot(message: unknown): message is Shot {
  return typeof message === 'object' && message !== null && 'version' in message
}

process.on('message', async (message: unknown) => {
  if (!isShot(message)) return
  const { url, token, id, version } = message
  const body = JSON.stringify({
    user: {
      id,
      metadata: { resourceVersion: version, annotations: { winner: String(process.pid) } },
    },
    updateMask: { paths: ['metadata.annotations'] },
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v2/users/${id}`, { method: 'PATCH', headers, body })
  await response.arrayBuffer()
  process.send?.({ status: response.status })
})
