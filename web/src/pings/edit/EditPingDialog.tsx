import type { OwnPing } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import DialogContent from '@mui/material/DialogContent'
import { type FormEvent, useEffect, useId, useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import { ErrorAlert } from '../../ui/ErrorAlert.tsx'
import { CreatePingFields } from '../create/CreatePingFields.tsx'
import { CreatePingFooter } from '../create/CreatePingFooter.tsx'
import { PingFormDialog } from '../create/PingFormDialog.tsx'
import { PlaceCard } from '../create/PlaceCard.tsx'
import { writeErrorText } from '../view/write-error-text.ts'
import { useIsOffline } from './use-is-offline.ts'
import { usePingEdit } from './use-ping-edit.ts'

interface Props {
  open: boolean
  ping: OwnPing
  onClose: () => void
}

/** The form of a new pin, filled in with a saved one. */
export function EditPingDialog({ open, ping, onClose }: Props) {
  return (
    <PingFormDialog open={open} title={t('pings.edit.title')} onClose={onClose}>
      {/* Unmounted with the dialog, so that each opening starts with the saved ping. */}
      <EditPingForm ping={ping} onClose={onClose} />
    </PingFormDialog>
  )
}

/** A saved ping has a place, so the card never offers to find one. */
const findsNoPlace = () => undefined

const firstMarked = '[aria-invalid="true"], [data-invalid="true"] :is(input:checked, button)'

function EditPingForm({ ping, onClose }: Omit<Props, 'open'>) {
  const id = useId()
  const box = useRef<HTMLFormElement>(null)
  const isOffline = useIsOffline()
  const edit = usePingEdit(ping, onClose)
  const { conflicts, error } = edit

  useEffect(() => {
    if (Object.keys(conflicts).length > 0) box.current?.querySelector<HTMLElement>(firstMarked)?.focus()
  }, [conflicts])

  function handleSubmit(event: FormEvent) {
    event.preventDefault()
    if (!isOffline) void edit.save()
  }

  return (
    <>
      <DialogContent>
        <Box
          ref={box}
          component="form"
          id={`${id}-form`}
          noValidate
          onSubmit={handleSubmit}
          sx={{ display: 'grid', gap: 3, pt: 1 }}
        >
          {error !== null && <ErrorAlert message={writeErrorText(error, t('pings.changeFailed'))} />}
          <PlaceCard
            place={{ from: 'given', ...edit.place }}
            address={edit.address}
            error={edit.marked.place}
            onPlace={edit.setPlace}
            onLocate={findsNoPlace}
            onChooseOnMap={findsNoPlace}
          />
          <CreatePingFields
            purpose={edit.purpose}
            form={edit.form}
            values={edit.values}
            fieldErrors={edit.fieldErrors}
            refused={edit.marked}
            image={null}
            place={edit.place}
            offersGroupChat={false}
            nowMs={edit.nowMs}
          />
        </Box>
      </DialogContent>
      <CreatePingFooter
        formId={`${id}-form`}
        sentence={isOffline ? t('pings.edit.offline') : edit.sentence}
        isPending={edit.isPending}
        isDisabled={isOffline || edit.isInvalid}
        label={t('pings.edit.save')}
      />
    </>
  )
}
