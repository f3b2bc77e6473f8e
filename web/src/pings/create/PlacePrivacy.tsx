import type { AreaKm } from '@hither/contract/areas.ts'
import { areaSizes } from '@hither/contract/runtime/areas.ts'
import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { t } from '../../i18n/translate.ts'
import type { Place } from '../../map/map-defaults.ts'
import { withinText } from '../place/area.rules.ts'
import { AreaSentence } from './AreaSentence.tsx'
import { PillChoice } from './PillChoice.tsx'
import {
  exactPlaceChoices,
  hasArea,
  isOpenToAnyone,
  offeredChoice,
  type PlacePrivacy as Privacy,
  withExactPlaceFor,
} from './place-privacy.rules.ts'

interface Props {
  privacy: Privacy
  /** Null while it is unknown. */
  place: Place | null
  errors?: { exactPlaceFor?: string | undefined; areaKm?: string | undefined }
  onChange: (change: Partial<Privacy>) => void
}

const sizes = ([1, 5] satisfies AreaKm[]).map((value) => ({ value, label: withinText(areaSizes[value].radiusM) }))

/** The choice of who sees the exact place of a ping, and what all others see. */
export function PlacePrivacy({ privacy, place, errors = {}, onChange }: Props) {
  const { areaKm, isPublic } = privacy
  const exactPlaceFor = offeredChoice(privacy.exactPlaceFor, isPublic)
  const isForGoing = exactPlaceFor === 'going'
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <PillChoice
        legend={t('pings.placePrivacy.title')}
        options={exactPlaceChoices(isPublic).map((value) => ({
          value,
          label: t(`pings.placePrivacy.choices.${value}`),
        }))}
        value={exactPlaceFor}
        error={errors.exactPlaceFor}
        onChange={(value) => onChange(withExactPlaceFor(privacy, value))}
      />
      {hasArea({ exactPlaceFor, isPublic }) && (
        <PillChoice
          legend={t('pings.placePrivacy.size')}
          options={sizes}
          value={areaKm}
          error={errors.areaKm}
          onChange={(value) => onChange({ areaKm: value })}
        />
      )}
      {/* Always rendered, so that screen readers announce the effect of a choice. */}
      <Box role="status" sx={{ display: 'grid', gap: 0.5, mt: -0.5, '&:empty': { mt: -1.5 } }}>
        {hasArea({ exactPlaceFor, isPublic }) && <AreaSentence place={place} areaKm={areaKm} isPublic={isPublic} />}
        {isForGoing && <Note text={t('pings.placePrivacy.remembered')} />}
        {isOpenToAnyone(privacy) && <Note text={t('pings.placePrivacy.openToAnyone')} isWarning />}
      </Box>
    </Box>
  )
}

function Note({ text, isWarning = false }: { text: string; isWarning?: boolean }) {
  return (
    <Typography variant="body2" {...(isWarning ? { color: 'warning', fontWeight: 600 } : { color: 'textSecondary' })}>
      {text}
    </Typography>
  )
}
