import type { Address, Input, Reply } from '@hither/contract/operation.ts'
import type { OperationAt } from '@hither/contract/operations.ts'
import { t } from '../i18n/translate.ts'
import { ApiError, addressOf, authorised, failureOf, type Parts, parseJson } from './transport.ts'

type UploadAddress = Address & { readonly upload: { readonly maxBytes: number } }

interface UploadOptions {
  /** Called with the sent share of the bytes, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Uploads one file with XMLHttpRequest, because `fetch` reports no upload progress. Throws `ApiError`. */
export function upload<A extends UploadAddress>(
  operation: A,
  input: Input<OperationAt<A>>,
  file: Blob,
  options: UploadOptions = {},
): Promise<Reply<OperationAt<A>>> {
  return authorised(operation, (accessToken) => send<A>(operation, input as Parts, file, accessToken, options))
}

/** Returns the error text for a file before it is sent, or null. `tooLarge` is the text for a file over `maxBytes`. */
export function imageError(file: Pick<Blob, 'type' | 'size'>, maxBytes: number, tooLarge: string): string | null {
  if (!file.type.startsWith('image/')) return t('files.notAnImage')
  return file.size > maxBytes ? tooLarge : null
}

/** Returns the server's sentence if another file would work, otherwise a text that asks to try again. */
export function uploadErrorOf(error: unknown): string {
  if (!(error instanceof ApiError) || ![413, 415, 422].includes(error.status)) return t('files.uploadFailed')
  if (error.status === 422) return error.fieldErrors[0]?.msg ?? t('files.uploadFailed')
  return error.message
}

function send<A extends UploadAddress>(
  operation: A,
  parts: Parts,
  file: Blob,
  accessToken: string | null,
  { onProgress, signal }: UploadOptions,
): Promise<Reply<OperationAt<A>>> {
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
      if (isDone) resolve(body as Reply<OperationAt<A>>)
      else reject(failureOf(request, body, 'File upload failed'))
    }
    request.onerror = () => reject(new ApiError(0, t('errors.unreachable')))
    request.onabort = () => reject(signal?.reason ?? new DOMException('The upload was stopped', 'AbortError'))
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
