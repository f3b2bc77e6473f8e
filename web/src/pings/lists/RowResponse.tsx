import type { Ping, ResponseType } from '@hither/contract/pings.ts'
import type { User } from '@hither/contract/users.ts'
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import { responseChoices } from '../view/response-choices.ts'
import { useOwnResponse } from '../view/use-own-response.ts'

/** The three response buttons of a row. After a tap only the chosen response is left, which opens them again. */
export function RowResponse({ ping, viewer, title }: { ping: Ping; viewer: User; title: string }) {
  const { chosen, isWaiting, respond } = useOwnResponse(ping, viewer)
  const [isOpen, setIsOpen] = useState(false)
  const group = useRef<HTMLDivElement>(null)
  const hasMoved = useRef(false)
  const shown = responseChoices.filter(({ type }) => isOpen || chosen === null || type === chosen)
  const isFolded = chosen !== null && !isOpen

  // The pressed button is replaced, so its successor takes the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the buttons change
  useEffect(() => {
    if (!hasMoved.current) return
    hasMoved.current = false
    const next = group.current?.querySelector<HTMLElement>('[aria-pressed="true"], button')
    next?.focus({ preventScroll: true })
  }, [isFolded])

  function handlePress(type: ResponseType) {
    hasMoved.current = true
    if (isFolded) return setIsOpen(true)
    setIsOpen(false)
    respond(type)
  }

  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        columnGap: 1,
        paddingInlineStart: '68px',
        paddingInlineEnd: 2,
        pb: 1,
      }}
    >
      <Box
        ref={group}
        role="group"
        aria-label={`${t('pings.respondTitle')} ${title}`}
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, flex: '1 1 auto' }}
      >
        {shown.map(({ type, colour, Icon }) => {
          const isChosen = type === chosen
          const main = colour === 'text' ? 'text.secondary' : `${colour}.main`
          return (
            <Button
              key={type}
              aria-pressed={isChosen}
              onClick={() => handlePress(type)}
              startIcon={<Icon sx={{ color: isChosen ? 'inherit' : main }} />}
              {...(isFolded && { endIcon: <ExpandMoreRounded aria-hidden /> })}
              sx={{
                flex: isFolded ? '0 1 auto' : '1 1 0',
                // Wider than an equal share in some languages; the last button then goes below.
                minWidth: 'max-content',
                px: 1.5,
                whiteSpace: 'nowrap',
                color: 'text.primary',
                border: 1,
                borderColor: isChosen ? main : 'divider',
                '&:hover': { borderColor: main },
                ...(isChosen && {
                  bgcolor: main,
                  color: colour === 'text' ? 'background.paper' : `${colour}.contrastText`,
                  '&:hover': { bgcolor: main },
                }),
              }}
            >
              {t(`pings.responseButtons.${type}`)}
              {isFolded && <span style={visuallyHidden}>. {t('pings.changeResponse')}</span>}
            </Button>
          )
        })}
      </Box>
      {isWaiting && (
        <Typography role="status" variant="body2" color="textSecondary" sx={{ fontWeight: 600 }}>
          {t('pings.waiting.waiting')}
        </Typography>
      )}
    </Box>
  )
}
