import type { CallInput, Reply } from '@hither/contract/operation.ts'
import type { KnownAddress, OperationAt } from '@hither/contract/operations.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import { limitTime, responseWithinMs } from '../device/time-limit.ts'
import { t } from '../i18n/translate.ts'
import { ApiError, messageOf, parseJson, unreachable } from './api-error.ts'
import { isOwnAnswer } from './request.ts'
import { authorised, failureOf, type Parts, urlOf } from './transport.ts'

type UploadAddress = {
  [A in KnownAddress]: OperationAt<A> extends { readonly upload: object } ? A : never
}[KnownAddress]

interface UploadOptions {
  /** Called with the sent share of the bytes, from 0 to 1. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Uploads one file with XMLHttpRequest, because `fetch` reports no upload progress. Throws `ApiError`. */
export function upload<A extends UploadAddress>(
  address: A,
  input: CallInput<OperationAt<A>>,
  file: Blob,
  options: UploadOptions = {},
): Promise<Reply<OperationAt<A>>> {
  return authorised('required', (accessToken) => send<A>(address, input as Parts, file, accessToken, options))
}

/** Returns the error text for a file before it is sent, or null. `tooLarge` is the text for a file over `maxBytes`. */
export function imageError(file: Pick<Blob, 'type' | 'size'>, maxBytes: number, tooLarge: string): string | null {
  if (!file.type.startsWith('image/')) return t('files.notAnImage')
  return file.size > maxBytes ? tooLarge : null
}

/** Returns the server's sentence if another file or more room would help, otherwise a text that asks to try again. */
export function uploadErrorOf(error: unknown): string {
  if (error instanceof ApiError && error.status >= 500 && error.code !== null)
    return messageOf(error, t('files.uploadFailed'))
  if (!(error instanceof ApiError) || ![409, 413, 415, 422].includes(error.status)) return t('files.uploadFailed')
  if (error.status === 422) return error.fieldErrors[0]?.msg ?? t('files.uploadFailed')
  return error.message
}

function send<A extends UploadAddress>(
  address: A,
  parts: Parts,
  file: Blob,
  accessToken: string | null,
  { onProgress, signal }: UploadOptions,
): Promise<Reply<OperationAt<A>>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const limit = limitTime(responseWithinMs, signal)
    limit.signal.addEventListener('abort', () => request.abort(), { once: true })
    request.onloadend = limit.end
    request.open(splitAddress(address).method, urlOf(address, parts))
    request.setRequestHeader('Accept', 'application/json')
    if (accessToken !== null) request.setRequestHeader('Authorization', `Bearer ${accessToken}`)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      limit.restart()
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    }
    request.onload = () => {
      const body = parseJson(request.responseText)
      const headers = { get: (name: string) => request.getResponseHeader(name) }
      if (!isOwnAnswer({ status: request.status, headers }, body)) return reject(unreachable())
      const isDone = request.status >= 200 && request.status < 300
      if (isDone) resolve(body as Reply<OperationAt<A>>)
      else reject(failureOf(request, body, 'File upload failed'))
    }
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(signal?.aborted ? signal.reason : unreachable())
    const form = new FormData()
    form.append('file', file)
    request.send(form)
  })
}
