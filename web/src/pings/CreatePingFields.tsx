import { pingLimits } from '@hither/contract/pings.ts'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Collapse from '@mui/material/Collapse'
import { useId, useState } from 'react'
import { type UseFormReturn } from 'react-hook-form'
import { CountedField } from './CountedField.tsx'
import { type PingForm, type PingFormFaults } from './create-ping.rules.ts'
import { FriendPicker } from './FriendPicker.tsx'
import { ImageField } from './ImageField.tsx'
import { PillChoice } from './PillChoice.tsx'
import { ScheduleField } from './ScheduleField.tsx'
import { SwitchField } from './SwitchField.tsx'
import { createStrings } from './strings.ts'
import { type ChosenImage } from './use-chosen-image.ts'

interface Props {
  form: UseFormReturn<PingForm>
  values: PingForm
  /** Shown once a field has been left, so that nobody is scolded for what they are about to do. */
  faults: PingFormFaults
  /** The server's, shown at once. */
  refused: PingFormFaults
  image: ChosenImage
  offersGroupChat: boolean
  nowMs: number
}

const durations = pingLimits.durationsMinutes.map((value) => ({ value, label: createStrings.durations[value] }))
const audiences = [
  { value: 'all', label: createStrings.allFriends },
  { value: 'selected', label: createStrings.selectedFriends },
] as const

export function CreatePingFields({ form, values, faults, refused, image, offersGroupChat, nowMs }: Props) {
  const id = useId()
  const [isAdvanced, setIsAdvanced] = useState(false)
  const { touchedFields } = form.formState

  function faultOf(field: keyof PingForm): string | undefined {
    return touchedFields[field] ? (faults[field] ?? refused[field]) : refused[field]
  }

  function set<F extends keyof PingForm>(field: F, value: PingForm[F]) {
    form.setValue(field, value as never, { shouldTouch: true })
  }

  return (
    <>
      <CountedField
        registration={form.register('name')}
        label={createStrings.name}
        placeholder={createStrings.namePlaceholder}
        value={values.name}
        max={pingLimits.nameMax}
        error={faultOf('name')}
        autoFocus
      />
      <PillChoice
        legend={createStrings.duration}
        options={durations}
        value={values.duration}
        error={faultOf('duration')}
        onChange={(duration) => set('duration', duration)}
      />
      <Box sx={{ display: 'grid', gap: 1.5 }}>
        <PillChoice
          legend={createStrings.who}
          options={audiences}
          value={values.audience}
          error={faults.audience}
          onChange={(audience) => set('audience', audience)}
        />
        {values.audience === 'selected' && (
          <FriendPicker
            chosen={values.recipientIds}
            error={faultOf('recipientIds')}
            onChange={(chosen) => set('recipientIds', chosen)}
          />
        )}
      </Box>
      <CountedField
        registration={form.register('message')}
        label={createStrings.message}
        value={values.message}
        max={pingLimits.messageMax}
        countFrom={pingLimits.messageMax - 50}
        error={faults.message ?? refused.message}
        isLong
      />
      <ImageField image={image} />
      {offersGroupChat && (
        <SwitchField
          label={createStrings.groupChat}
          help={createStrings.groupChatHelp}
          checked={values.groupChat}
          onChange={(checked) => set('groupChat', checked)}
        />
      )}
      <ScheduleField
        isScheduled={values.isScheduled}
        startsAt={values.startsAt}
        nowMs={nowMs}
        error={faultOf('startsAt')}
        onToggle={(isScheduled) => set('isScheduled', isScheduled)}
        onChange={(startsAt) => set('startsAt', startsAt)}
      />
      <Box>
        <Button
          color="inherit"
          aria-expanded={isAdvanced}
          aria-controls={`${id}-advanced`}
          onClick={() => setIsAdvanced(!isAdvanced)}
          endIcon={
            <ExpandMoreRounded sx={{ rotate: isAdvanced ? '180deg' : '0deg', transition: 'rotate 180ms ease-out' }} />
          }
          sx={{ ml: -2.5 }}
        >
          {createStrings.advanced}
        </Button>
        <Collapse in={isAdvanced} id={`${id}-advanced`} unmountOnExit>
          <Box sx={{ display: 'grid', gap: 1, pt: 1 }}>
            <SwitchField
              label={createStrings.responsesVisible}
              help={createStrings.responsesVisibleHelp}
              checked={values.responsesVisible}
              onChange={(checked) => set('responsesVisible', checked)}
            />
            <SwitchField
              label={createStrings.public}
              help={createStrings.publicHelp}
              checked={values.isPublic}
              onChange={(checked) => set('isPublic', checked)}
            />
          </Box>
        </Collapse>
      </Box>
    </>
  )
}
