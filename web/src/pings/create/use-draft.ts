import { useEffect, useRef } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { ChosenImage } from '../pictures/use-chosen-image.ts'
import { emptyPingForm, type PingForm } from './create-ping.rules.ts'
import type { PingDraft } from './ping-draft.ts'

/** Fills the form once for each draft. Returns the `client_id` of the ping that the new one replaces. */
export function useDraft(draft: PingDraft | null, form: UseFormReturn<PingForm>, image: ChosenImage) {
  const replaces = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: later input must not be overwritten
  useEffect(() => {
    if (draft === null) return
    replaces.current = draft.replaces
    form.reset({ ...emptyPingForm, ...draft.form })
    image.clear()
    if (draft.image !== null) image.choose(draft.image)
    else if (draft.imageErrorText !== null) image.refuse(draft.imageErrorText)
  }, [draft])
  return replaces
}
