import { type User } from '@hither/contract/users.ts'
import CloseRounded from '@mui/icons-material/CloseRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import IconButton from '@mui/material/IconButton'
import { useTheme } from '@mui/material/styles'
import Typography from '@mui/material/Typography'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { messageOf } from '../api/api-error.ts'
import { serverNow, useServerNow } from '../api/server-time.ts'
import { ApiError } from '../api/transport.ts'
import { friendsQuery } from '../friends/friends.api.ts'
import { type Place } from '../map/map-defaults.ts'
import { PlaceField } from '../map/PlaceField.tsx'
import { useAddress } from '../map/use-address.ts'
import { ErrorAlert } from '../ui/ErrorAlert.tsx'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { CreatePingFields } from './CreatePingFields.tsx'
import { type ChosenPlace, placeOf } from './chosen-place.ts'
import {
  audienceSentence,
  emptyPingForm,
  faultsOf,
  faultsOfServer,
  newPingOf,
  offersGroupChat,
  type PingForm,
} from './create-ping.rules.ts'
import { keepRefused } from './keep-refused.ts'
import { PlaceLine } from './PlaceLine.tsx'
import { type PingDraft, useDraft } from './ping-draft.ts'
import { discardWaiting } from './ping-outbox.ts'
import { createStrings } from './strings.ts'
import { useChosenImage } from './use-chosen-image.ts'
import { useNewPing } from './use-new-ping.ts'

interface Props {
  open: boolean
  owner: User
  place: ChosenPlace
  /** What it begins with; null for an empty one. */
  draft: PingDraft | null
  onPlace: (place: Place) => void
  onOpen: () => void
  onLocate: () => void
  onClose: () => void
}

/** Stays mounted while closed: a refusal of the server opens it again with all that was typed, unless the next is begun. */
export function CreatePingDialog({ open, owner, place, draft, onPlace, onOpen, onLocate, onClose }: Props) {
  const id = useId()
  const isPhone = useMediaQuery(useTheme().breakpoints.down('sm'), { noSsr: true })
  const form = useForm<PingForm>({ defaultValues: emptyPingForm })
  const values = { ...emptyPingForm, ...useWatch({ control: form.control }) } as PingForm
  const friends = useQuery({ ...friendsQuery(), enabled: open })
  const creation = useNewPing(owner)
  const image = useChosenImage()
  const replaces = useDraft(draft, form, image)
  const { showError } = useSnackbar()
  const isFree = useIsFree(open)
  const nowMs = useServerNow(15_000)
  const [sentPlace, setSentPlace] = useState(place)

  // While a refused pin waits for its second try, its own place stands, unless another has been chosen.
  const shownPlace = place.from === 'nowhere' && creation.error !== null ? sentPlace : place
  const context = { place: placeOf(shownPlace), friendsCount: friends.data?.length ?? null, nowMs }
  const faults = faultsOf(values, context)
  const refused = creation.error instanceof ApiError ? faultsOfServer(creation.error.faults) : {}
  const sentence = faults.place && place.from !== 'locating' ? faults.place : audienceSentence(values, context)
  const address = useAddress(open ? context.place : null)
  const isWaiting =
    place.from === 'locating' || (values.audience === 'all' && friends.isPending && friends.failureCount === 0)

  function empty() {
    replaces.current = null
    form.reset(emptyPingForm)
    image.clear()
  }

  function handleClose() {
    onClose()
    creation.reset()
    empty()
  }

  async function handleSubmit(event: FormEvent) {
    event.preventDefault()
    const now = { ...context, nowMs: serverNow() }
    if (now.place === null || creation.isPending || Object.keys(faultsOf(values, now)).length > 0) return
    setSentPlace(shownPlace)
    // The pin is on the map before the server answers, so the dialog makes way for it.
    onClose()
    const sent = { values, replaced: replaces.current }
    const input = newPingOf(values, now.place, address.address)
    const extras = { image: image.file, wantsChat: values.groupChat && offersGroupChat(values, now) }
    empty()
    try {
      await creation.create(input, extras)
      if (sent.replaced !== null) void discardWaiting(owner.id, sent.replaced)
    } catch (error) {
      if (isFree.current) {
        form.reset(sent.values)
        if (extras.image !== null) image.choose(extras.image)
        replaces.current = sent.replaced
        onOpen()
        return
      }
      creation.reset()
      const reason = messageOf(error, createStrings.createFailed)
      if (sent.replaced === null) void keepRefused(owner.id, input, extras, reason)
      showError(reason)
    }
  }

  return (
    <Dialog open={open} onClose={handleClose} fullScreen={isPhone} maxWidth="sm" aria-labelledby={`${id}-title`}>
      <DialogTitle id={`${id}-title`} sx={{ display: 'flex', alignItems: 'center', pr: 1.5 }}>
        <Box component="span" sx={{ flex: 1 }}>
          {createStrings.title}
        </Box>
        <IconButton aria-label={createStrings.close} onClick={handleClose}>
          <CloseRounded />
        </IconButton>
      </DialogTitle>
      <DialogContent>
        <Box
          component="form"
          id={`${id}-form`}
          noValidate
          onSubmit={handleSubmit}
          sx={{ display: 'grid', gap: 3, pt: 1 }}
        >
          {creation.error !== null && <ErrorAlert message={messageOf(creation.error, createStrings.createFailed)} />}
          <PlaceLine place={shownPlace} found={address.found} onLocate={onLocate} onChooseOnMap={onClose} />
          <PlaceField
            place={context.place}
            isOwnPosition={shownPlace.from === 'device'}
            address={address}
            onFound={onPlace}
          />
          <CreatePingFields
            form={form}
            values={values}
            faults={faults}
            refused={refused}
            image={image}
            offersGroupChat={offersGroupChat(values, context)}
            nowMs={nowMs}
          />
        </Box>
      </DialogContent>
      <DialogActions
        sx={{
          flexWrap: 'wrap',
          borderTop: 1,
          borderColor: 'divider',
          pt: 2,
          pb: 'max(16px, var(--sab))',
        }}
      >
        <Typography role="status" variant="body2" color="textSecondary" sx={{ flex: '1 1 180px', fontWeight: 600 }}>
          {sentence}
        </Typography>
        <Button
          type="submit"
          form={`${id}-form`}
          variant="contained"
          size="large"
          loading={creation.isPending}
          disabled={isWaiting || Object.keys(faults).length > 0}
          sx={{ flex: { xs: '1 1 100%', sm: '0 0 auto' }, m: '0 !important' }}
        >
          {values.isScheduled ? createStrings.submitLater : createStrings.submitNow}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Whether what comes back later may open the dialog: not where another pin is being written, or the screen has been left. */
function useIsFree(open: boolean) {
  const isFree = useRef(false)
  useEffect(() => {
    isFree.current = !open
    return () => {
      isFree.current = false
    }
  }, [open])
  return isFree
}
