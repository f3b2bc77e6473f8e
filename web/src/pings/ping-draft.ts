import { pingLimits, quickPin } from '@hither/contract/pings.ts'
import { useEffect, useRef } from 'react'
import { type UseFormReturn } from 'react-hook-form'
import { emptyPingForm, type PingForm } from './create-ping.rules.ts'
import { localInputOf } from './times.ts'
import { type ChosenImage } from './use-chosen-image.ts'
import { type WaitingPing } from './waiting.rules.ts'

/** What a new pin begins with. */
export interface PingDraft {
  form: Partial<PingForm>
  image: Blob | null
  /** What is wrong with the picture that is missing. */
  imageFault: string | null
  /** The `client_id` of the refused pin whose place it takes. */
  replaces: string | null
}

/** All that was typed, to be changed and sent as another. */
export function draftOfWaiting({ client_id, input, image, wants_chat }: WaitingPing): PingDraft {
  const form: PingForm = {
    name: input.name,
    message: input.message ?? '',
    duration: input.duration_minutes ?? pingLimits.durationDefaultMinutes,
    audience: input.recipient_ids == null ? 'all' : 'selected',
    recipientIds: input.recipient_ids ?? [],
    isScheduled: input.activates_at != null,
    startsAt: input.activates_at == null ? '' : localInputOf(Date.parse(input.activates_at)),
    responsesVisible: input.responses_visible ?? quickPin.responses_visible,
    isPublic: input.is_public ?? quickPin.is_public,
    groupChat: wants_chat || emptyPingForm.groupChat,
  }
  return { form, image, imageFault: null, replaces: client_id }
}

/** Fills the form once for each draft. Answers what the pin that comes of it takes the place of. */
export function useDraft(draft: PingDraft | null, form: UseFormReturn<PingForm>, image: ChosenImage) {
  const replaces = useRef<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is typed afterwards is not to be taken back
  useEffect(() => {
    if (draft === null) return
    replaces.current = draft.replaces
    form.reset({ ...emptyPingForm, ...draft.form })
    image.clear()
    if (draft.image !== null) image.choose(draft.image)
    else if (draft.imageFault !== null) image.refuse(draft.imageFault)
  }, [draft])
  return replaces
}
