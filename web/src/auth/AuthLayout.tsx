import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode, Ref } from 'react'
import { clientConfigQuery } from '../api/client-config.ts'
import { t } from '../i18n/translate.ts'
import { LanguageButton } from '../session/language/LanguageButton.tsx'
import { BrandMark } from '../ui/BrandMark.tsx'
import { useTitle } from '../ui/use-title.ts'
import { AuthBackdrop } from './AuthBackdrop.tsx'

interface Props {
  heading: string
  line?: string
  /** For a screen that moves the focus to its heading. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** On a phone a sheet over the map, on a wide screen a card in the middle of it. */
export function AuthLayout({ heading, line, headingRef, children }: Props) {
  useTitle(heading)
  const serverName = useQuery(clientConfigQuery()).data?.server_name
  return (
    <Box
      component="main"
      sx={{
        position: 'relative',
        isolation: 'isolate',
        minHeight: 'calc(100dvh - var(--bottom-bar, 0px))',
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: { sm: 'center' },
        py: { sm: 6 },
        overflow: 'hidden',
      }}
    >
      <Box sx={{ position: 'absolute', inset: 0, zIndex: -1, height: { xs: 440, sm: 'auto' } }}>
        <AuthBackdrop />
      </Box>
      <Box sx={{ flexShrink: 0, height: { xs: 'calc(152px + var(--sat))', sm: 0 } }} />
      <Box
        sx={{
          width: '100%',
          maxWidth: { sm: 448 },
          flexGrow: { xs: 1, sm: 0 },
          bgcolor: 'background.paper',
          border: { sm: 1 },
          borderColor: { sm: 'divider' },
          borderRadius: { xs: '28px 28px 0 0', sm: '28px' },
          px: { xs: 3, sm: 5 },
          pt: { xs: 3.5, sm: 5 },
          pb: 'calc(32px + var(--sab))',
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, mb: 3.5 }}>
          <BrandMark size={44} />
          <Box>
            <Typography
              component="p"
              sx={{ fontWeight: 800, fontSize: '1.25rem', lineHeight: 1.2, letterSpacing: '-0.02em' }}
            >
              {t('auth.brand')}
            </Typography>
            <Typography variant="body2" color="textSecondary" dir="auto" sx={{ overflowWrap: 'anywhere' }}>
              {serverName ?? t('auth.line')}
            </Typography>
          </Box>
        </Box>
        <Typography
          variant="h1"
          {...(headingRef && { ref: headingRef, tabIndex: -1 })}
          sx={{ outline: 'none', overflowWrap: 'anywhere' }}
        >
          {heading}
        </Typography>
        {line && (
          <Typography color="textSecondary" sx={{ mt: 0.75 }}>
            {line}
          </Typography>
        )}
        <Box sx={{ mt: 3 }}>{children}</Box>
        <LanguageButton />
      </Box>
    </Box>
  )
}
