// Reads the text of an answer from an unknown server, up to the largest size that such an answer
// can have.

/** Rejects with one line where the body is longer, and reads no further then. */
export async function answerText({ body }: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body ?? []) {
    size += part.length
    if (size > maxBytes) throw new Error(`its answer is longer than ${maxBytes} bytes`)
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
