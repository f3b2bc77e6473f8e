import { fileLimits } from '@hither/contract/files.ts'
import { useEffect, useState } from 'react'
import { faultOfImage } from '../api/upload.ts'
import { createStrings } from './strings.ts'

/** What is wrong with it as the picture of a ping, or null. */
export function faultOfPingImage(file: Pick<Blob, 'type' | 'size'>): string | null {
  return faultOfImage(file, fileLimits.pingImageBytes, createStrings.imageTooLarge)
}

export interface ChosenImage {
  readonly file: Blob | null
  readonly previewUrl: string | null
  readonly fault: string | null
  choose(file: Blob): void
  /** Of one that cannot be had: what is wrong with it. */
  refuse(fault: string): void
  clear(): void
}

/** A picture that waits for the ping that it is to belong to. One that will not do takes nothing away. */
export function useChosenImage(): ChosenImage {
  const [chosen, setChosen] = useState<{ file: Blob; previewUrl: string } | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  useEffect(() => {
    if (chosen !== null) return () => URL.revokeObjectURL(chosen.previewUrl)
  }, [chosen])

  return {
    file: chosen?.file ?? null,
    previewUrl: chosen?.previewUrl ?? null,
    fault,
    choose(file) {
      const found = faultOfPingImage(file)
      setFault(found)
      if (found === null) setChosen({ file, previewUrl: URL.createObjectURL(file) })
    },
    refuse: setFault,
    clear() {
      setFault(null)
      setChosen(null)
    },
  }
}
