import type { User } from '@hither/contract/users.ts'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { messageOf } from '../../api/api-error.ts'
import { serverNow, useServerNow } from '../../api/server-time.ts'
import { ApiError } from '../../api/transport.ts'
import { circlesQuery } from '../../circles/circles.api.ts'
import { friendsQuery } from '../../friends/friends.api.ts'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { useAddress } from '../../map/places/use-address.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { useChosenImage } from '../pictures/use-chosen-image.ts'
import { PublicLinkQuestion } from '../saved-places/PublicLinkQuestion.tsx'
import type { SavedPlace } from '../saved-places/saved-places.ts'
import { usePrivatePlace } from '../saved-places/use-private-place.ts'
import { withoutDeletedCircles } from './audience/audience.rules.ts'
import { CreatePingFields } from './CreatePingFields.tsx'
import { CreatePingFooter } from './CreatePingFooter.tsx'
import { type ChosenPlace, placeOf } from './chosen-place.ts'
import {
  audienceSentence,
  emptyPingForm,
  offersGroupChat,
  type PingForm,
  pingFormErrors,
  serverFieldErrors,
} from './create-ping.rules.ts'
import { PingFormDialog } from './PingFormDialog.tsx'
import { PlaceCard } from './PlaceCard.tsx'
import type { PingDraft, PlaceWithAddress } from './ping-draft.ts'
import { withPublicLink } from './place-privacy.rules.ts'
import { useSubmission } from './use-submission.ts'

interface Props {
  open: boolean
  owner: User
  place: ChosenPlace
  /** The initial content; null for an empty form. */
  draft: PingDraft | null
  /** The center of the map, see `PlaceCard`. */
  mapCenter: () => Place | null
  onPlace: (place: Place, from?: 'given') => void
  onOpen: () => void
  /** Called when the dialog appears. */
  onShown: () => void
  onLocate: () => void
  onClose: () => void
}

/** Stays mounted while it is closed, because a refused ping opens it again, see `useSubmission`. */
export function CreatePingDialog({ open, owner, place, draft, mapCenter, onPlace, ...handlers }: Props) {
  const { onOpen, onShown, onLocate, onClose } = handlers
  const id = useId()
  const form = useForm<PingForm>({ defaultValues: emptyPingForm })
  const friends = useQuery({ ...friendsQuery(), enabled: open })
  const circles = useQuery({ ...circlesQuery(), enabled: open })
  const filled = { ...emptyPingForm, ...useWatch({ control: form.control }) } as PingForm
  const values = circles.data ? withoutDeletedCircles(filled, circles.data) : filled
  useEffect(() => {
    if (values === filled) return
    form.setValue('audience', values.audience)
    form.setValue('circleIds', values.circleIds)
    form.setValue('recipientIds', values.recipientIds)
  })
  const image = useChosenImage()
  const submission = useSubmission({ open, owner, place, draft, form, image, onOpen, onClose })
  const { shownPlace, error } = submission
  const nowMs = useServerNow(15_000)

  const context = {
    place: placeOf(shownPlace),
    friendsCount: friends.data?.length ?? null,
    circles: circles.data ?? [],
    nowMs,
  }
  const fieldErrors = pingFormErrors(values, context)
  const refused = error instanceof ApiError ? serverFieldErrors(error.fieldErrors) : {}
  const sentence =
    fieldErrors.place && place.from !== 'locating' ? fieldErrors.place : audienceSentence(values, context)
  const [savedPlace, setSavedPlace] = useState<SavedPlace | null>(null)
  const address = useAddress(open ? context.place : null, knownAddress(savedPlace, draft, context.place))
  const nearPrivate = usePrivatePlace(form, open ? context.place : null, draft)
  const [isAsking, setIsAsking] = useState(false)
  const isWaiting =
    place.from === 'locating' || (values.audience === 'all' && friends.isPending && friends.failureCount === 0)

  function handleSaved(saved: SavedPlace) {
    setSavedPlace(saved)
    onPlace(saved, 'given')
  }

  function handleTurnOff() {
    setIsAsking(false)
    const { isPublic, exactPlaceFor } = withPublicLink(values, false)
    form.setValue('isPublic', isPublic, { shouldTouch: true })
    form.setValue('exactPlaceFor', exactPlaceFor, { shouldTouch: true })
  }

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (nearPrivate !== null && values.isPublic && values.exactPlaceFor === 'everyone') setIsAsking(true)
    else submit()
  }

  function submit() {
    setIsAsking(false)
    const now = { ...context, nowMs: serverNow() }
    if (now.place === null || submission.isPending || Object.keys(pingFormErrors(values, now)).length > 0) return
    const wantsChat = values.groupChat && offersGroupChat(values, now)
    void submission.submit({ values, place: now.place, address: address.address, wantsChat })
  }

  return (
    <PingFormDialog
      open={open}
      title={t('pings.create.title')}
      onShown={onShown}
      onClose={submission.cancel}
      // The input stays, because a gesture at the edge of the screen is easily made by mistake.
      onBack={onClose}
    >
      <DialogContent>
        <Box
          component="form"
          id={`${id}-form`}
          noValidate
          onSubmit={handleSubmit}
          sx={{ display: 'grid', gap: 3, pt: 1 }}
        >
          {draft?.notes?.map((note) => (
            <Alert key={note} severity="info">
              {note}
            </Alert>
          ))}
          {error !== null && <ErrorAlert message={messageOf(error, t('pings.createFailed'))} />}
          <PlaceCard
            place={shownPlace}
            address={address}
            onPlace={onPlace}
            onLocate={onLocate}
            onChooseOnMap={onClose}
            saving={{ near: mapCenter() ?? context.place, onChoose: handleSaved }}
          />
          <Box role="status" sx={{ '&:empty': { position: 'absolute' } }}>
            {nearPrivate && (
              <Alert severity="warning">{t('pings.savedPlace.nearPrivate', { name: nearPrivate.name })}</Alert>
            )}
          </Box>
          <CreatePingFields
            form={form}
            values={values}
            fieldErrors={fieldErrors}
            refused={refused}
            image={image}
            circles={circles.data ?? []}
            place={context.place}
            offersGroupChat={offersGroupChat(values, context)}
            nowMs={nowMs}
          />
        </Box>
      </DialogContent>
      <CreatePingFooter
        formId={`${id}-form`}
        sentence={sentence}
        isPending={submission.isPending}
        isDisabled={isWaiting || Object.keys(fieldErrors).length > 0}
        label={values.isScheduled ? t('pings.create.submitLater') : t('pings.create.submitNow')}
      />
      <PublicLinkQuestion
        open={isAsking}
        onTurnOff={handleTurnOff}
        onShare={submit}
        onClose={() => setIsAsking(false)}
      />
    </PingFormDialog>
  )
}

/** Returns the chosen saved place if it has an address, or the place of the draft, unless another place was chosen since. */
function knownAddress(
  saved: SavedPlace | null,
  draft: PingDraft | null,
  place: Place | null,
): PlaceWithAddress | undefined {
  const candidates = [saved?.address == null ? undefined : saved, draft?.place]
  return candidates.find((known) => known?.latitude === place?.latitude && known?.longitude === place?.longitude)
}
