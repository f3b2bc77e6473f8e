import { createBrowserRouter } from 'react-router'
import { RequireSession } from './auth/RequireSession.tsx'
import { RequireVisitor } from './auth/RequireVisitor.tsx'
import { RouteErrorScreen } from './shell/RouteErrorScreen.tsx'
import { ScreenLoading } from './ui/ScreenLoading.tsx'

/** The table of contents of the app. Every screen is a chunk of its own. */
export const router = createBrowserRouter([
  {
    errorElement: <RouteErrorScreen />,
    hydrateFallbackElement: <ScreenLoading />,
    children: [
      {
        element: <RequireVisitor />,
        children: [
          { path: '/login', lazy: async () => ({ Component: (await import('./auth/LoginScreen.tsx')).LoginScreen }) },
          {
            path: '/signup',
            lazy: async () => ({ Component: (await import('./auth/SignupScreen.tsx')).SignupScreen }),
          },
          {
            path: '/invite/:code',
            lazy: async () => ({ Component: (await import('./auth/InviteScreen.tsx')).InviteScreen }),
          },
          {
            path: '/forgot-password',
            lazy: async () => ({ Component: (await import('./auth/ForgotPasswordScreen.tsx')).ForgotPasswordScreen }),
          },
          {
            path: '/server',
            lazy: async () => ({ Component: (await import('./platform/ServerScreen.tsx')).ServerScreen }),
          },
        ],
      },
      // Links out of mails: they work whoever is signed in here.
      { path: '/confirm', lazy: async () => ({ Component: (await import('./auth/ConfirmScreen.tsx')).ConfirmScreen }) },
      {
        path: '/reset-password',
        lazy: async () => ({ Component: (await import('./auth/ResetPasswordScreen.tsx')).ResetPasswordScreen }),
      },
      {
        path: '/',
        element: <RequireSession />,
        children: [
          {
            lazy: async () => ({ Component: (await import('./shell/Shell.tsx')).Shell }),
            children: [
              { index: true, lazy: async () => ({ Component: (await import('./home/HomeScreen.tsx')).HomeScreen }) },
              {
                path: 'chat',
                lazy: async () => ({ Component: (await import('./chat/ChatScreen.tsx')).ChatScreen }),
                children: [
                  {
                    index: true,
                    lazy: async () => ({ Component: (await import('./chat/NoConversation.tsx')).NoConversation }),
                  },
                  {
                    path: ':conversationId',
                    lazy: async () => ({
                      Component: (await import('./chat/ConversationScreen.tsx')).ConversationScreen,
                    }),
                  },
                ],
              },
              {
                path: 'friends',
                lazy: async () => ({ Component: (await import('./friends/FriendsScreen.tsx')).FriendsScreen }),
              },
              {
                path: 'admin',
                lazy: async () => ({ Component: (await import('./admin/AdminScreen.tsx')).AdminScreen }),
              },
              {
                path: 'profile',
                lazy: async () => ({ Component: (await import('./profile/ProfileScreen.tsx')).ProfileScreen }),
              },
            ],
          },
        ],
      },
      {
        path: '/pins/:pinId?',
        lazy: async () => ({ Component: (await import('./pings/PingScreen.tsx')).PingScreen }),
      },
    ],
  },
])
