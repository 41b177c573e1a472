/** Text as a body, each piece made when whoever reads has taken the ones before it; who leaves ends the making. */
export function streamedText(pieces: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(body) {
        const { done, value } = await pieces.next()
        if (done) body.close()
        else body.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}
