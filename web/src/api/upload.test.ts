import { fileLimits, fileTexts } from '@hither/contract/files.ts'
import { describe, expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { failureOf } from './transport.ts'
import { faultOfImage, uploadErrorOf } from './upload.ts'

const faultOf = (type: string, size: number) =>
  faultOfImage({ type, size }, fileLimits.profileImageBytes, fileTexts.profileImageTooLarge)

describe('before it is sent, a file', () => {
  test('has to be an image', () => {
    expect(faultOf('application/pdf', 10)).toBe('Please select an image file')
    expect(faultOf('', 10)).toBe('Please select an image file')
    expect(faultOf('image/heic', 10)).toBeNull()
  })

  test('may be as large as the limit and no larger', () => {
    expect(faultOf('image/png', 5_242_880)).toBeNull()
    expect(faultOf('image/png', 5_242_881)).toBe('Image must be less than 5MB')
  })
})

describe('an upload that failed', () => {
  test('names the status where the server says nothing', () => {
    const failure = failureOf({ status: 502, statusText: 'Bad Gateway' }, undefined, 'File upload failed')
    expect(failure.message).toBe('File upload failed: 502 Bad Gateway')
  })

  test('is explained where another file would do', () => {
    expect(uploadErrorOf(new ApiError(415, fileTexts.notAnImage))).toBe('Please select an image file')
    expect(uploadErrorOf(new ApiError(413, fileTexts.profileImageTooLarge))).toBe('Image must be less than 5MB')
    const faults = [{ loc: ['body', 'file'], msg: fileTexts.imageBroken, type: 'broken' }]
    expect(uploadErrorOf(new ApiError(422, 'Validation errors: …', faults))).toBe(fileTexts.imageBroken)
  })

  test('is to be tried again where the file is not at fault', () => {
    for (const error of [new ApiError(0, 'unreachable'), new ApiError(500, 'Oops'), new Error('any')]) {
      expect(uploadErrorOf(error)).toBe('Failed to upload image. Please try again.')
    }
  })
})
