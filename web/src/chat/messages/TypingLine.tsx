import Box from '@mui/material/Box'
import { keyframes } from '@mui/material/styles'
import { t } from '../../i18n/translate.ts'

const hop = keyframes({ '0%, 60%, 100%': { transform: 'none' }, '30%': { transform: 'translateY(-4px)' } })

export const typingLinePx = 24

/** Uses the space that is reserved below the last message, so that the list does not jump. */
export function TypingLine({ names }: { names: readonly string[] }) {
  return (
    <Box
      role="status"
      sx={{
        position: 'absolute',
        bottom: 0,
        insetInlineStart: 0,
        maxWidth: '100%',
        zIndex: 1,
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        ...(names.length > 0 && {
          height: typingLinePx,
          px: 2,
          bgcolor: 'background.default',
          borderRadius: '0 12px 0 0',
        }),
        fontSize: '0.8125rem',
        color: 'text.secondary',
      }}
    >
      {names.length > 0 && (
        <>
          <Box aria-hidden sx={{ display: 'flex', gap: 0.5 }}>
            {[0, 150, 300].map((delayMs) => (
              <Box
                key={delayMs}
                sx={{
                  width: 6,
                  height: 6,
                  borderRadius: '50%',
                  bgcolor: 'text.secondary',
                  animation: `${hop} 1.2s ease-in-out ${delayMs}ms infinite`,
                }}
              />
            ))}
          </Box>
          <Box component="span" sx={{ overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}>
            {names.length === 1
              ? t('chat.message.typingOne', { name: names[0] ?? '' })
              : names.length === 2
                ? t('chat.message.typingTwo', { first: names[0] ?? '', second: names[1] ?? '' })
                : t('chat.message.typingSeveral')}
          </Box>
        </>
      )}
    </Box>
  )
}
