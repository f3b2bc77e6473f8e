import type { ResponseType } from '@hither/contract/pings.ts'
import Box from '@mui/material/Box'
import ButtonBase from '@mui/material/ButtonBase'
import { t } from '../../i18n/translate.ts'
import { responseChoices } from './response-choices.ts'

interface Props {
  chosen: ResponseType | null
  /** The accessible name of the group. */
  label?: string
  /** The text of the first button. */
  goingText?: string
  onChoose: (type: ResponseType) => void
}

/** The three buttons of a response. */
export function ResponseChoice({ chosen, label = t('pings.respondTitle'), goingText, onChoose }: Props) {
  return (
    <Box role="group" aria-label={label} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
      {responseChoices.map(({ type, colour, Icon }) => {
        const isChosen = type === chosen
        const [background, foreground] =
          colour === 'text' ? ['text.secondary', 'background.paper'] : [`${colour}.main`, `${colour}.contrastText`]
        return (
          <ButtonBase
            key={type}
            aria-pressed={isChosen}
            onClick={() => onChoose(type)}
            sx={{
              flex: '1 1 0',
              flexDirection: 'column',
              gap: 0.25,
              minHeight: 56,
              px: 0.5,
              borderRadius: '12px',
              border: 1,
              borderColor: isChosen ? background : 'divider',
              bgcolor: isChosen ? background : 'transparent',
              color: isChosen ? foreground : 'text.primary',
              typography: 'body2',
              fontWeight: 700,
              transition: 'background-color 150ms ease-out',
              '&:hover': { borderColor: background },
            }}
          >
            <Icon fontSize="small" sx={{ color: isChosen ? 'inherit' : background }} />
            {type === 'accepted' && goingText ? goingText : t(`pings.responseButtons.${type}`)}
          </ButtonBase>
        )
      })}
    </Box>
  )
}
