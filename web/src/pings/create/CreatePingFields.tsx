import type { Circle } from '@hither/contract/circles.ts'
import { pingLimits } from '@hither/contract/runtime/pings.ts'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Collapse from '@mui/material/Collapse'
import FormHelperText from '@mui/material/FormHelperText'
import { useId, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { toggled } from '../../circles/circles.rules.ts'
import { FriendPicker } from '../../friends/FriendPicker.tsx'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { CountedField } from '../../ui/CountedField.tsx'
import { durationText } from '../../ui/format-time.ts'
import { GuestPolicyField } from '../guests/owner/GuestPolicyField.tsx'
import { ImageField } from '../pictures/ImageField.tsx'
import type { ChosenImage } from '../pictures/use-chosen-image.ts'
import { AudienceChips } from './audience/AudienceChips.tsx'
import { SaveAsCircle } from './audience/SaveAsCircle.tsx'
import type { PingForm, PingFormErrors } from './create-ping.rules.ts'
import { PillChoice } from './PillChoice.tsx'
import { PlacePrivacy } from './PlacePrivacy.tsx'
import { withPublicLink } from './place-privacy.rules.ts'
import { ScheduleField } from './ScheduleField.tsx'
import { SwitchField } from './SwitchField.tsx'

/** What the form is for. A ping that is active keeps its times, and nobody is invited by a change. */
export type FormPurpose = 'create' | 'edit-scheduled' | 'edit-active'

interface Props {
  purpose?: FormPurpose
  form: UseFormReturn<PingForm>
  values: PingForm
  /** The error of a field is shown after its first change. */
  fieldErrors: PingFormErrors
  /** The server's errors are shown at once. */
  refused: PingFormErrors
  /** Null if the form changes no image. */
  image: ChosenImage | null
  /** Empty while they are unknown, and in the form of a saved ping. */
  circles?: readonly Circle[]
  /** Null while it is unknown. */
  place: Place | null
  offersGroupChat: boolean
  nowMs: number
}

/** The fields below the advanced options. */
const advanced = ['responsesVisible', 'isPublic', 'guestPolicy'] as const
const privacyFields = ['exactPlaceFor', 'areaKm', 'isPublic'] as const
const durations = pingLimits.durationsMinutes.map((value) => ({ value, label: durationText(value) }))

export function CreatePingFields({
  purpose = 'create',
  form,
  values,
  fieldErrors,
  refused,
  image,
  circles = [],
  place,
  offersGroupChat,
  nowMs,
}: Props) {
  const id = useId()
  const isNew = purpose === 'create'
  const [isOpened, setIsOpened] = useState(false)
  const isAdvanced = isOpened || advanced.some((field) => refused[field] !== undefined)
  const { touchedFields } = form.formState
  // The server is asked for the area of a place only after a choice of the user, never because of a private or repeated place.
  const hasChosenPrivacy = privacyFields.some((field) => touchedFields[field])

  function fieldErrorOf(field: keyof PingForm): string | undefined {
    return touchedFields[field] ? (fieldErrors[field] ?? refused[field]) : refused[field]
  }

  function set<F extends keyof PingForm>(field: F, value: PingForm[F]) {
    form.setValue(field, value as never, { shouldTouch: true })
  }

  function change(fields: Partial<PingForm>) {
    for (const [field, value] of Object.entries(fields)) set(field as keyof PingForm, value as never)
  }

  const recipientsError = fieldErrorOf('recipientIds')
  return (
    <>
      <CountedField
        label={t('pings.create.name')}
        placeholder={t('pings.create.namePlaceholder')}
        value={values.name}
        max={pingLimits.nameMax}
        help={values.isPublic ? t('pings.placePrivacy.publicName') : undefined}
        error={fieldErrorOf('name')}
        autoFocus={isNew}
        onChange={(name) => set('name', name)}
      />
      {purpose !== 'edit-active' && (
        <PillChoice
          legend={t('pings.create.duration')}
          options={durations}
          value={values.duration}
          error={fieldErrorOf('duration')}
          onChange={(duration) => set('duration', duration)}
        />
      )}
      {isNew && (
        <Box sx={{ display: 'grid', gap: 1.5 }}>
          <AudienceChips
            circles={circles}
            value={{ audience: values.audience, circleIds: values.circleIds, recipientIds: values.recipientIds }}
            error={fieldErrors.audience ?? refused.circleIds}
            onChange={change}
          />
          {values.audience === 'selected' && (
            <>
              <FriendPicker
                chosen={values.recipientIds}
                label={t('pings.create.selectedFriends')}
                failedText={t('pings.create.friendsFailed')}
                emptyText={t('pings.noFriends')}
                maxHeightPx={150}
                onToggle={(userId) => set('recipientIds', toggled(values.recipientIds, userId))}
              />
              <SaveAsCircle memberIds={values.recipientIds} />
            </>
          )}
          {values.audience !== 'all' && recipientsError !== undefined && (
            <FormHelperText error>{recipientsError}</FormHelperText>
          )}
        </Box>
      )}
      <CountedField
        label={t('pings.create.message')}
        value={values.message}
        max={pingLimits.messageMax}
        countFrom={pingLimits.messageMax - 50}
        error={fieldErrors.message ?? refused.message}
        isLong
        onChange={(message) => set('message', message)}
      />
      {image && <ImageField image={image} />}
      {offersGroupChat && (
        <SwitchField
          label={t('pings.create.groupChat')}
          help={t('pings.create.groupChatHelp')}
          checked={values.groupChat}
          onChange={(checked) => set('groupChat', checked)}
        />
      )}
      {purpose !== 'edit-active' && (
        <ScheduleField
          isScheduled={values.isScheduled}
          startsAt={values.startsAt}
          nowMs={nowMs}
          error={fieldErrorOf('startsAt')}
          {...(isNew && { onToggle: (isScheduled: boolean) => set('isScheduled', isScheduled) })}
          onChange={(startsAt) => set('startsAt', startsAt)}
        />
      )}
      <Box>
        <Button
          color="inherit"
          aria-expanded={isAdvanced}
          aria-controls={`${id}-advanced`}
          onClick={() => setIsOpened(!isAdvanced)}
          endIcon={
            <ExpandMoreRounded sx={{ rotate: isAdvanced ? '180deg' : '0deg', transition: 'rotate 180ms ease-out' }} />
          }
          sx={{ marginInlineStart: -2.5 }}
        >
          {t('pings.create.advanced')}
        </Button>
        <Collapse in={isAdvanced} id={`${id}-advanced`} unmountOnExit>
          <Box sx={{ display: 'grid', gap: 1, pt: 1 }}>
            <SwitchField
              label={t('pings.create.responsesVisible')}
              help={t('pings.create.responsesVisibleHelp')}
              error={refused.responsesVisible}
              checked={values.responsesVisible}
              onChange={(checked) => set('responsesVisible', checked)}
            />
            <SwitchField
              label={t('pings.create.public')}
              help={t('pings.create.publicHelp')}
              error={refused.isPublic}
              checked={values.isPublic}
              onChange={(checked) => change(withPublicLink(values, checked))}
            />
            {values.isPublic && (
              <GuestPolicyField
                value={values.guestPolicy}
                error={refused.guestPolicy}
                onChange={(policy) => set('guestPolicy', policy)}
              />
            )}
          </Box>
        </Collapse>
      </Box>
      {/* Below the public link and who may respond with it, because it says what they mean for the place. */}
      <PlacePrivacy
        place={isNew && !hasChosenPrivacy ? null : place}
        privacy={values}
        errors={refused}
        onChange={change}
      />
    </>
  )
}
