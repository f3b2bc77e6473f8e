import { fileTexts } from '@hither/contract/files.ts'
import { type Input, type Operation, type Reply } from '@hither/contract/operation.ts'
import { ApiError, addressOf, authorised, failureOf, type Parts, parseJson, unreachable } from './transport.ts'

type UploadOperation = Operation & { readonly upload: { readonly maxBytes: number } }

export interface UploadOptions {
  /** From 0 to 1, as the bytes leave. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sends one file as the operation says. `fetch` cannot tell how far an upload is, so this is an older way. Throws `ApiError`. */
export function upload<O extends UploadOperation>(
  operation: O,
  input: Input<O>,
  file: Blob,
  options: UploadOptions = {},
): Promise<Reply<O>> {
  return authorised(operation, (accessToken) => send<O>(operation, input as Parts, file, accessToken, options))
}

/** What is wrong with a file before it is sent, or null. `tooLarge` is the sentence of its kind. */
export function faultOfImage(file: Pick<Blob, 'type' | 'size'>, maxBytes: number, tooLarge: string): string | null {
  if (!file.type.startsWith('image/')) return fileTexts.notAnImage
  return file.size > maxBytes ? tooLarge : null
}

/** The server's sentence where the file is at fault and another one would do; else that it should be tried again. */
export function uploadErrorOf(error: unknown): string {
  if (!(error instanceof ApiError) || ![413, 415, 422].includes(error.status)) return fileTexts.uploadFailed
  if (error.status === 422) return error.faults[0]?.msg ?? fileTexts.uploadFailed
  return error.message
}

function send<O extends UploadOperation>(
  operation: O,
  parts: Parts,
  file: Blob,
  accessToken: string | null,
  { onProgress, signal }: UploadOptions,
): Promise<Reply<O>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(operation.method, addressOf(operation, parts))
    request.setRequestHeader('Accept', 'application/json')
    if (accessToken !== null) request.setRequestHeader('Authorization', `Bearer ${accessToken}`)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    }
    request.onload = () => {
      const body = parseJson(request.responseText)
      const isDone = request.status >= 200 && request.status < 300
      if (isDone) resolve(body as Reply<O>)
      else reject(failureOf(request, body, 'File upload failed'))
    }
    request.onerror = () => reject(new ApiError(0, unreachable))
    request.onabort = () => reject(signal?.reason ?? new DOMException('The upload was stopped', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
