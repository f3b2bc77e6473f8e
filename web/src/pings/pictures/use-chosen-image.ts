import { fileLimits } from '@hither/contract/runtime/files.ts'
import { useEffect, useState } from 'react'
import { imageError } from '../../api/upload.ts'
import { t } from '../../i18n/translate.ts'

/** Returns the error text for a file that cannot be the image of a ping, or null. */
export function pingImageError(file: Pick<Blob, 'type' | 'size'>): string | null {
  return imageError(file, fileLimits.pingImageBytes, t('files.pingImageTooLarge'))
}

export interface ChosenImage {
  readonly file: Blob | null
  readonly previewUrl: string | null
  readonly errorText: string | null
  choose(file: Blob): void
  /** Sets the error text for an image that cannot be used. */
  refuse(errorText: string): void
  clear(): void
}

/**
 * The image that was chosen for a ping that does not exist yet. A file with an error does not replace the chosen image.
 */
export function useChosenImage(): ChosenImage {
  const [chosen, setChosen] = useState<{ file: Blob; previewUrl: string } | null>(null)
  const [errorText, setErrorText] = useState<string | null>(null)

  useEffect(() => {
    if (chosen !== null) return () => URL.revokeObjectURL(chosen.previewUrl)
  }, [chosen])

  return {
    file: chosen?.file ?? null,
    previewUrl: chosen?.previewUrl ?? null,
    errorText,
    choose(file) {
      const found = pingImageError(file)
      setErrorText(found)
      if (found === null) setChosen({ file, previewUrl: URL.createObjectURL(file) })
    },
    refuse: setErrorText,
    clear() {
      setErrorText(null)
      setChosen(null)
    },
  }
}
